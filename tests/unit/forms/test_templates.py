"""Templates of an application: their variables, and what is said about mistakes in them."""

from __future__ import annotations

import re
import shutil
import warnings
from collections import defaultdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, UndefinedError, meta

from tests.unit.forms.test_html import DECKS, FORMS, after
from widgetschema import InvalidTemplate, WidgetType
from widgetschema.forms import CustomControl, Form, register_control
from widgetschema.forms.html.template_variables import KINDS, TEMPLATES, variables_of
from widgetschema.integrations.form_views import ROUTES, FormViews, StoredData, respond

OURS = Path(str(files("widgetschema.forms.html").joinpath("templates")))
NAMES = sorted(path.relative_to(OURS).as_posix()[:-5] for path in OURS.rglob("*.html"))


def written(folder: Path, **templates: str) -> Path:
    """A folder with templates; `__` in a name is a slash."""
    for name, text in templates.items():
        path = folder / f"{name.replace('__', '/').replace('_', '-')}.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_templates_that_contain_others_render_as_those_that_include_them(tmp_path: Path) -> None:
    """Copies in a folder are those of an application, which stay as they are."""
    shutil.copytree(OURS, tmp_path / "copies")
    for form in many_forms():
        assert form.page(templates=tmp_path / "copies") == form.page()


def test_a_part_of_an_application_is_in_our_templates(tmp_path: Path) -> None:
    form = WidgetType.from_data_schema({"properties": {"a": {"description": "Ours"}}}, id="x").form(
        {"a": "1"}
    )
    folder = written(tmp_path, help="<i>Theirs</i>", kinds__text="<b>{{ text }}</b>")
    markup = form.render(templates=folder)
    assert "<i>Theirs</i>" in markup
    assert "<b>1</b>" in markup
    assert "Ours" not in markup


def test_fields_are_equal_to_themselves_only() -> None:
    form = WidgetType.from_data_schema({"properties": {"a": True}}, id="x").form({"a": "1"})
    [field] = form.root.children
    same = field._replace()
    assert field == field
    assert field != same
    assert not field == same  # noqa: SIM201
    assert {field: 1}.get(same) is None


# The templates and their variables


def test_every_template_is_documented() -> None:
    assert sorted(TEMPLATES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_variable_that_a_template_uses_is_documented(name: str) -> None:
    environment = Environment(autoescape=True)
    environment.filters["text"] = str
    tree = environment.parse((OURS / f"{name}.html").read_text("utf-8"))
    assert meta.find_undeclared_variables(tree) <= variables_of(name).keys()


def show_text(value: Any) -> dict[str, str]:
    return {"text": value or ""}


ANY_TEXT = CustomControl("any-text", "<input {{ attributes }} value='{{ text }}'>", show_text, str)


def many_forms() -> list[Form]:
    """Forms in which each template is used."""
    wrong = after(FORMS["countdown, mistakes"], **{"#/content/timerHours": "1,5"}).form
    kinds = {
        "properties": {
            "url": {"type": "string"},
            "link": {"type": "string", "format": "uri"},
            "email": {"type": "string", "format": "email"},
            "date": {"type": "string", "format": "date"},
            "time": {"type": "string", "format": "time"},
            "moment": {"type": "string", "format": "date-time"},
            "note": {"type": "string", "maxLength": 5000},
            "css": {"type": "string"},
            "text": {"type": "string", "format": "markdown"},
            "password": {"type": "string", "writeOnly": True},
            "file": {
                "type": "string",
                "contentEncoding": "base64",
                "contentMediaType": "image/png",
            },
            "count": {"type": "integer"},
            "share": {"type": "integer", "minimum": 0, "maximum": 10},
            "flag": {"type": "boolean"},
            "fixed": {"const": 1},
            "few": {"enum": ["a", "b"]},
            "many": {"enum": [f"option {number}" for number in range(20)]},
            "several": {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": True},
            "kept": {"type": "string", "readOnly": True},
            "pair": {"type": "array", "items": [{"type": "number"}], "additionalItems": False},
        },
        "required": ["flag"],
    }
    widget = WidgetType.from_data_schema(kinds, id="kinds")
    register_control(ANY_TEXT)
    ui = {
        "/url": {"kind": "any-text"},
        "": {
            "groups": [{"label": "Choices", "members": ["few", "many"]}],
            "tabs": [{"label": "Times", "members": ["date", "time"]}],
        },
    }
    free = WidgetType.from_data_schema({"type": "object", "examples": [{"a": 1}]}, id="free")
    draft = free.form_json('{"x": "y"}').submit({"kind#;0/x": "1", "#;0/x;0": "z"}).form
    value = {"flag": True, "fixed": 1, "several": ["a"], "pair": [1], "kept": "x"}
    one = widget.form(value, ui=ui)
    first, mine, theirs = ({"flag": True, "count": number} for number in (1, 2, 3))
    page = widget.form(first)
    posted = {"base#": page.base, "text#": page.data_text, "#/count": str(mine["count"])}
    conflict = widget.form(theirs).submit(posted, on_stale="rebase").form
    assert conflict.conflicts
    emptied = page.submit({"#/count": ""}).form
    return [*FORMS.values(), wrong, one, conflict, emptied, draft]


def test_every_documented_variable_is_there(tmp_path: Path) -> None:
    """Each template says which of its variables are defined, then does as it always does."""
    for name, spec in TEMPLATES.items():
        said = "".join(f"{{% if {one} is defined %}}{one} {{% endif %}}" for one in spec.variables)
        path = tmp_path / f"{name}.html"
        path.parent.mkdir(exist_ok=True)
        ours = (OURS / f"{name}.html").read_text("utf-8")
        path.write_text(f"[[{name}: {said}]]{ours}", encoding="utf-8")
    defined: dict[str, set[str]] = defaultdict(set)
    always: dict[str, set[str]] = {}
    for form in many_forms():
        markup = form.page(templates=tmp_path, preview="/preview")
        for name, said in re.findall(r"\[\[([\w/-]+): ([^\]]*)\]\]", markup):
            found = {*said.split()}
            defined[name] |= found
            always[name] = always.get(name, found) & found
    assert sorted(defined) == NAMES  # else a template is used by no form above
    for name, spec in TEMPLATES.items():
        assert always[name] == {*spec.variables}, name


# Mistakes, which are found before anything is rendered


@pytest.mark.parametrize(
    ("name", "text", "line", "problem"),
    [
        ("field", "a\n{{ labl }}", 2, "unknown variable 'labl'; did you mean 'label'?"),
        ("errors", "{{ label }}", 1, "unknown variable 'label'"),
        ("row", "{% if false %}\n{{ kee }}{% endif %}", 2, "unknown variable 'kee'; did you mean 'key'?"),
        ("kinds__colour", "\n\n{{ placehoder }}", 3, "unknown variable 'placehoder'; did you mean 'placeholder'?"),
        ("field", "{% if label %}", 1, "Unexpected end of template."),
        ("form", "\n{{ root.label|txt }}", 2, "No filter named 'txt'."),
        ("form", "{{ }}", 1, "Expected an expression, got 'end of print statement'"),
        ("group", '\n{% include "hlp.html" %}', 2, "there is no template 'hlp.html'; did you mean 'help.html'?"),
        ("page", "{{ url_for('x') }}", 1, "unknown variable 'url_for'"),
    ],
)  # fmt: skip
def test_a_mistake_has_a_file_a_line_and_advice(
    name: str, text: str, line: int, problem: str, tmp_path: Path
) -> None:
    written(tmp_path, **{name: text})
    with pytest.raises(InvalidTemplate) as found:
        FORMS["lists"].render(templates=tmp_path)
    error = found.value
    assert Path(error.file) == tmp_path / f"{name.replace('__', '/')}.html"
    assert error.line == line
    assert error.problem.startswith(problem)
    assert str(error) == f"{error.file}, line {line}: {error.problem}"


def test_what_is_corrected_works_without_a_restart(tmp_path: Path) -> None:
    form = FORMS["lists"]
    written(tmp_path, field="{{ labl }}")
    with pytest.raises(InvalidTemplate):
        form.render(templates=tmp_path)
    written(tmp_path, field="<b class=mine>{{ label }}</b>")
    assert "<b class=mine>" in form.render(templates=tmp_path)


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "field.html").write_bytes(b"\xff")
    with pytest.raises(InvalidTemplate) as found:
        FORMS["lists"].render(templates=tmp_path)
    assert (found.value.line, found.value.problem) == (None, "it cannot be read: it is not UTF-8")


# Mistakes that show only when something is rendered


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("\n{{ field.lable }}", "unknown attribute 'lable'; did you mean 'label'?"),
        ("\n{{ field.shape.hlp }}", "unknown attribute 'hlp'; did you mean 'help'?"),
        ('\n{{ "button.ad"|text }}', "there is no text 'button.ad'; did you mean 'button.add'?"),
        ('\n{{ "row.up-of"|text }}', "the text 'row.up-of' needs the parameter 'label'"),
        ("\n{{ label / 2 }}", "TypeError: unsupported operand"),
        ('\n{% include "hel" ~ "pp.html" %}', "there is no template 'helpp.html'; did you mean 'help.html'?"),
        ("\n{{ 1 // 0 }}", "ZeroDivisionError"),
    ],
)  # fmt: skip
def test_a_mistake_at_rendering_has_the_place_too(text: str, problem: str, tmp_path: Path) -> None:
    written(tmp_path, kinds__colour=text)
    form = DECKS.form({"content": {"slides": [{"title": "a", "colour": "#fff"}]}})
    for render in (form.render, form.page):
        with pytest.raises(InvalidTemplate) as found:
            render(templates=[str(tmp_path)])
        error = found.value
        assert (Path(error.file), error.line) == (tmp_path / "kinds" / "colour.html", 2)
        assert error.problem.startswith(problem), error.problem


def test_a_mistake_in_a_part_of_somebody_else(tmp_path: Path) -> None:
    written(tmp_path, field='{% include "icon.html" %}', icon="\n\n{{ labell }}")
    with pytest.raises(InvalidTemplate) as found:
        FORMS["lists"].render(templates=tmp_path)
    error = found.value
    assert (Path(error.file).name, error.line) == ("icon.html", 3)
    assert error.problem == "unknown variable 'labell'; did you mean 'label'?"


@pytest.mark.parametrize("name", ["summary", "errors", "page"])
def test_a_mistake_in_each_thing_that_is_rendered(name: str, tmp_path: Path) -> None:
    written(tmp_path, **{name: "{{ [].x }}"})
    submission = FORMS["countdown"].submit({"#/content/timerDays": "x"})
    render = submission.form.page if name == "page" else submission.answer
    with pytest.raises(InvalidTemplate, match=rf"{name}.html, line 1: unknown attribute 'x'"):
        render(templates=tmp_path)


def test_our_own_templates_are_not_blamed_on_others(tmp_path: Path) -> None:
    written(tmp_path, help="fine")
    with pytest.raises(UndefinedError):
        FORMS["lists"].render(templates=tmp_path, hidden=3)  # type: ignore[arg-type]


# Files that override nothing


def test_a_name_that_is_almost_a_template_is_pointed_out(tmp_path: Path) -> None:
    written(tmp_path, feild="x", kinds__color="x", checkout="x", fields="x", kinds__stars="x")
    written(tmp_path, help='{% include "fields.html" %}')  # a part that is used
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        FORMS["lists"].render(templates=tmp_path)
    assert sorted(str(one.message).removeprefix(str(tmp_path)) for one in caught) == [
        "/feild.html overrides no template; did you mean field.html?",
        "/kinds/color.html overrides no template; did you mean kinds/colour.html?",
    ]


# What people see of it


def test_people_see_neither_the_file_nor_a_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    written(tmp_path, field="\n{{ labl }}")
    views = FormViews(
        lambda: StoredData(DECKS, '{"content": {}}'),
        lambda text, before: True,
        "/",
        options={"templates": tmp_path},
    )
    answer = respond(ROUTES[0], views, {"accept": "text/html"}, None, "")
    assert answer.status == 500
    page = answer.body.decode()
    assert "the form cannot be shown" in page
    assert str(tmp_path) not in page
    assert "Traceback" not in page
    assert "line 2: unknown variable 'labl'; did you mean 'label'?" in caplog.text


def test_a_control_of_a_kind_that_is_not_ours_has_the_variables_of_a_field() -> None:
    assert variables_of(f"{KINDS}stars") == variables_of("kinds/constant")
