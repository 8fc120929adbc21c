"""Markdown as HTML, to be looked at in a frame without any rights.

HTML in the text stays text, and nothing in the page leads or loads anything: links and pictures are
shown by their texts. The library markdown-it-py is an extra; without it, there is no preview.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, Final

from widgetschema.forms.content_policy import hash_source
from widgetschema.forms.texts import text
from widgetschema.languages import current_language

if TYPE_CHECKING:
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token

_MOST: Final = 20_000  # characters that are rendered: of hostile ones, the time is quadratic
_STYLE: Final = (
    "body{margin:.75rem;font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}"
    "body>:first-child{margin-top:0}h1,h2,h3{line-height:1.25}"
    "table{border-collapse:collapse}td,th{border:1px solid #888;padding:.25rem .5rem}"
    "pre{overflow:auto}blockquote{margin-inline:0;padding-inline-start:.75rem;"
    "border-inline-start:3px solid #888}"
    ".link{text-decoration:underline}.picture{border:1px dashed #888;padding:0 .25rem}"
)
STYLE_SOURCE: Final = hash_source(_STYLE)
"""The source that allows the style of these pages: a frame has the policy of the page around it."""

_PAGE: Final = (
    '<!doctype html><html lang="{lang}" dir="auto"><head><meta charset="utf-8">'
    "<title>{title}</title>"
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    'style-src {source}"><meta name="color-scheme" content="light dark">'
    "<style>{style}</style></head><body>{body}</body></html>"
)


def preview_of_markdown(content: str) -> str | None:
    """Return a page with a text in Markdown; "" for an empty text, None without the library."""
    render = _renderer()
    if render is None:
        return None
    if not content.strip():
        return ""
    language = current_language()
    if len(content) > _MOST:
        body = f"<p>{escape(text('markdown.too-long', number=_MOST))}</p>"
    else:
        body = render(content)
    title = escape(text("markdown.preview"))
    return _PAGE.format(
        lang=language.tag, title=title, source=STYLE_SOURCE, style=_STYLE, body=body
    )


@cache
def _renderer() -> Callable[[str], str] | None:
    """Return the function that makes HTML of Markdown; None if the library is not installed."""
    try:
        from markdown_it import MarkdownIt
    except ModuleNotFoundError:
        return None
    parser = MarkdownIt("js-default")  # no HTML, at most 20 levels
    rules: dict[str, Callable[..., str]] = {
        "link_open": _link,
        "link_close": lambda *_: "</span>",
        "image": _picture,
    }
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)

    @lru_cache(maxsize=64)
    def render(content: str) -> str:
        """Return the HTML of a text."""
        return str(parser.render(content))

    return render


def _link(_: RendererHTML, tokens: Sequence[Token], at: int, *others: Any) -> str:
    return f'<span class="link" title="{escape(str(tokens[at].attrGet("href") or ""))}">'


def _picture(renderer: RendererHTML, tokens: Sequence[Token], at: int, *others: Any) -> str:
    token = tokens[at]
    said = renderer.renderInlineAsText(token.children or [], *others)
    address = str(token.attrGet("src") or "")
    return f'<span class="picture" title="{escape(address)}">{escape(said or address)}</span>'
