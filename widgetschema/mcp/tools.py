"""The tools that the server offers: plain functions of a `Toolbox`, from text and JSON to JSON.

Data goes in and comes out as JSON text, so that nothing of it is lost: 1.0 stays 1.0, and members
keep their order. What a tool leaves out of its answer is said in the answer. Texts of schemas
(titles, descriptions) are quoted as they are: they are data, not instructions.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import PatchError, WidgetSchemaError
from widgetschema.findings import Finding, Report
from widgetschema.fixes import applicable, fix
from widgetschema.forms.model import Field as FormField
from widgetschema.jsontext import dump, parse, preview, read
from widgetschema.jsontext import patch as apply_patch
from widgetschema.mcp.outline import ToolFailure, outline
from widgetschema.pointers import display_pointer, format_pointer, parse_pointer, resolve_pointer
from widgetschema.project.edited_file import NO_FILE, EditedFile, FileChanged
from widgetschema.samples.values.horizon import parse_horizon
from widgetschema.text import one_line

MOST_FINDINGS: Final = 50
_MOST_SAMPLES: Final = 20
_MOST_STEPS: Final = 50
_MOST_CHARS: Final = 200_000
_LONGEST_POINTER: Final = 2_000
_LONGEST_LABEL: Final = 300
_MOST_CHOICES: Final = 30
_NOTHING: Final = object()

Type = Annotated[str, Field(description="The id of a widget type, such as countdown.")]
Text = Annotated[str, Field(description="Widget data as JSON text.")]
Kind = Annotated[
    Literal["data", "document"],
    Field(description="Read the text as widget data, or as a widget document (data in `data`)."),
]
Size = Annotated[int, Field(description="The most characters to return.", ge=200, le=_MOST_CHARS)]
DataPointer = Annotated[
    str,
    Field(
        description="A JSON Pointer into the data, such as /content/items/*; * is any item or any "
        "additional property, a pattern of names any property that matches it, an empty text all "
        "of the data."
    ),
]
Patch = Annotated[
    list[dict[str, Any]],
    Field(
        description='A JSON Patch (RFC 6902), such as [{"op": "add", "path": "/content/title", '
        '"value": "Sale"}].'
    ),
]
Answer = dict[str, Any]


class Toolbox:
    """The tools, with the catalog that they check against.

    Args:
        catalog: The widget types.
        folder: The folder whose files may be read and written; None for none.
    """

    def __init__(self, catalog: Catalog, folder: str | None = None) -> None:
        self._catalog = catalog
        self._folder = None if folder is None else os.path.realpath(folder)
        self._lock = threading.Lock()

    # About widget types

    def list_widget_types(self) -> Answer:
        """List the widget types: id, title and digest of each, and why a type cannot be used."""
        types: list[Answer] = []
        for id in self._catalog.ids():
            try:
                one = self._catalog[id]
            except WidgetSchemaError as error:
                types.append({"id": id, "problem": str(error)})
            else:
                title = None if one.title is None else one_line(one.title, _LONGEST_LABEL)
                types.append(
                    {
                        "id": id,
                        "title": title,
                        "source": one.source,
                        "digest": one.digest,
                    }
                )
        return {"types": types}

    def describe_widget_type(
        self, type: Type, pointer: DataPointer = "", max_chars: Size = 6000
    ) -> Answer:
        """Describe what data of a widget type may contain, or one part of it.

        The outline has a line for each place: types, limits, and texts of the schema. It has as
        many levels as fit into max_chars; "more at POINTER" says where to go on. schema_pointers
        are the places in the schema, for read_schema.
        """
        _require_pointer(pointer)
        root = self._catalog[type].schema_tree.root
        found = outline(root, pointer, max_chars=max_chars)
        return {
            "type": type,
            "pointer": pointer,
            "outline": found.text,
            "complete": found.complete,
            "schema_pointers": [*found.schema_pointers],
        }

    def read_schema(
        self,
        type: Type,
        schema_pointer: Annotated[
            str, Field(description="A JSON Pointer into the linked schema; empty for all of it.")
        ] = "",
        max_chars: Size = 20_000,
    ) -> Answer:
        """Return the linked schema of a widget type, or a part of it, as JSON text.

        The linked schema contains everything that the schema refers to. A text that is cut is no
        longer JSON: then ask for a part.
        """
        _require_pointer(schema_pointer)
        linked = self._catalog[type].linked
        part = resolve_pointer(linked, schema_pointer, _NOTHING)
        if part is _NOTHING:
            raise ToolFailure(
                f"the schema of {type!r} has nothing at {display_pointer(schema_pointer)}"
            )
        text = dump(part)
        members = [*part] if isinstance(part, dict) else []
        cut = len(text) > max_chars
        return {
            "schema": text[:max_chars],
            "complete": not cut,
            **({"members": members[:200], "characters": len(text)} if cut else {}),
        }

    def compare_schemas(
        self,
        type: Type,
        new_schema: Annotated[str, Field(description="The newer schema as JSON text.")],
    ) -> Answer:
        """Compare the schema of a widget type with a newer one: what changed, and what it breaks.

        A breaking change comes with data that was valid and no longer is.
        """
        old = self._catalog[type]
        schema = read(new_schema, subject="new_schema")
        # With the base schema and the resources that the old one is linked with, and read alike.
        newer = self._catalog.type_of(schema, type, describes=old.describes)
        found = old.compare(newer).as_dict()
        changes = found["changes"]
        found["changes"] = changes[:MOST_FINDINGS]
        return {**found, **_cut("changes", len(changes), MOST_FINDINGS)}

    # About data

    def check_data(self, type: Type, json_text: Text, kind: Kind = "data") -> Answer:
        """Check widget data, or a widget document, against its schema.

        Each finding says what is wrong, at which JSON Pointer, line and column. Findings that can
        be fixed have a JSON Patch. Its applicability is safe if it changes only how a value is
        written, where that is certain, and unsafe if it picks what was probably meant.
        """
        return _report(_check(self._catalog[type], json_text, kind))

    def fix_data(
        self,
        type: Type,
        json_text: Text,
        kind: Kind = "data",
        unsafe_fixes: Annotated[
            bool, Field(description="Apply unsafe fixes, too, which pick what was probably meant.")
        ] = False,
    ) -> Answer:
        """Apply every safe fix to widget data, and return the new text and what is left.

        Nothing but the fixed values and names is changed.
        """
        widget_type = self._catalog[type]
        fixed = fix(
            json_text,
            lambda value: applicable(_findings(widget_type, value, kind), unsafe=unsafe_fixes),
        )
        report = _check(widget_type, fixed.text, kind)
        return {
            "json_text": fixed.text,
            "fixed": [str(one) for one in fixed.applied[:MOST_FINDINGS]],
            **_cut("fixed", len(fixed.applied), MOST_FINDINGS),
            **_report(report),
        }

    def make_samples(
        self,
        type: Type,
        kind: Annotated[
            Literal["realistic", "minimal", "maximal", "near-miss"],
            Field(description="near-miss: data with one typical mistake each, and its findings."),
        ] = "realistic",
        count: Annotated[int, Field(description="How many samples.", ge=1, le=_MOST_SAMPLES)] = 1,
        seed: Annotated[str, Field(description="Another seed gives other samples.")] = "0",
        horizon: Annotated[
            str | None,
            Field(description="First and last day of dates, such as 2026-01-01/2026-12-31."),
        ] = None,
        max_chars: Size = 20_000,
    ) -> Answer:
        """Generate valid data of a widget type, or data with one mistake each.

        Samples that do not fit into max_chars are left out.
        """
        widget_type = self._catalog[type]
        if horizon is not None:
            try:
                parse_horizon(horizon)
            except ValueError as error:
                raise ToolFailure(f"{error}") from None
        if kind == "near-miss":
            cases = islice(widget_type.near_misses(horizon=horizon), count)
            misses = (
                {
                    "json_text": dump(one.data),
                    "findings": [{"code": f.keyword, "path": f.path} for f in one.findings],
                }
                for one in cases
            )
            return _fitting(misses, max_chars)
        values: Iterable[Any]
        if kind == "minimal":
            values = [widget_type.minimal(horizon=horizon)]
        elif kind == "maximal":
            values = [widget_type.maximal(horizon=horizon)]
        else:
            values = widget_type.samples(count, seed, horizon=horizon)
        return _fitting(({"json_text": dump(value)} for value in values), max_chars)

    def edit_data(
        self,
        type: Type,
        json_text: Annotated[
            str, Field(description="Widget data as JSON text; empty for a new document.")
        ] = "",
        patch: Patch = [],  # noqa: B006  never changed; pydantic shows it
        next_fields: Annotated[
            int, Field(description="How many fields to ask for next.", ge=0, le=_MOST_STEPS)
        ] = 10,
    ) -> Answer:
        """Fill in a form step by step: apply a patch to widget data, and return what comes next.

        Call it without a text to begin, then with the text that it returned and a patch for each
        step. next_fields are first those with findings, then those that are required, then those
        that are not set yet.
        """
        widget_type = self._catalog[type]
        before = json_text or dump(widget_type.new_data())
        try:
            text = apply_patch(before, patch)
        except PatchError as error:
            raise ToolFailure(f"{error}; nothing was changed") from None
        form = widget_type.form_json(text)
        fields = sorted(_fields(form.root), key=_urgency)
        return {
            "json_text": text,
            **_report(widget_type.check_json(text)),
            "next_fields": [_field(one) for one in fields[:next_fields]],
            "fields_left": len(fields),
        }

    # Files

    def read_file(
        self, path: Annotated[str, Field(description="The path, from the folder of the server.")]
    ) -> Answer:
        """Read a JSON file of the folder that this server may write to."""
        version = self._file(path).now(refresh=True)
        if version.raw is None:
            raise ToolFailure(f"there is no file {preview(path)}")
        if version.text is None:
            raise ToolFailure(f"{preview(path)} is not UTF-8 text")
        if len(version.text) > _MOST_CHARS:
            raise ToolFailure(
                f"{preview(path)} has {len(version.text):,} characters, more than the "
                f"{_MOST_CHARS:,} that a tool returns; a person can edit it with: widgetschema edit"
            )
        return {"json_text": version.text, "digest": version.digest}

    def write_file(
        self,
        path: Annotated[str, Field(description="The path, from the folder of the server.")],
        type: Type,
        json_text: Text,
        replaces: Annotated[
            str, Field(description="The digest from read_file; empty for a new file.")
        ] = "",
        kind: Kind = "data",
    ) -> Answer:
        """Write valid widget data to a file of the folder that this server may write to.

        Invalid data is not written. A file that is there is replaced only if its digest is given,
        so that no change of somebody else is lost.
        """
        report = _check(self._catalog[type], json_text, kind)
        if not report.valid:
            return {"written": False, **_report(report)}
        file = self._file(path)
        with self._lock:
            try:
                after = file.save(json_text, replaces or NO_FILE)
            except FileNotFoundError:
                raise ToolFailure(
                    f"nothing was written: the folder of {preview(path)} does not exist"
                ) from None
            except FileChanged as changed:
                there = changed.now.raw is not None
                raise ToolFailure(
                    f"nothing was written: {preview(path)} "
                    + (
                        "exists, and is not a version that you have read; read it, and pass its "
                        "digest as replaces"
                        if there
                        else "no longer exists; write it without a digest"
                    )
                ) from None
        return {"written": True, "digest": after.digest, **_report(report)}

    def _file(self, path: str) -> EditedFile:
        """Return a file in the folder; links that lead out of it are refused."""
        assert self._folder is not None, "the tools for files are offered with a folder only"
        real = os.path.realpath(os.path.join(self._folder, path.replace("\0", "")))
        if "\0" in path or not real.startswith(os.path.join(self._folder, "")):
            raise ToolFailure(f"{preview(path)} is not in the folder of this server")
        if not real.endswith(".json"):
            raise ToolFailure(f"{preview(path)} is not a JSON file: its name must end with .json")
        if os.path.lexists(real) and not os.path.isfile(real):
            raise ToolFailure(f"{preview(path)} is not a regular file")
        return EditedFile(real)


def _fitting(samples: Iterable[Answer], max_chars: int) -> Answer:
    """Return the samples that fit into a number of characters, and how many are left out."""
    shown: list[Answer] = []
    left, others = max_chars, list[int]()
    for one in samples:
        size = len(one["json_text"])
        left -= size
        if left < 0 or others:
            others.append(size)
        else:
            shown.append(one)
    more = {"more_samples": len(others), "characters_of_the_next": others[0]} if others else {}
    return {"samples": shown, **more}


def _require_pointer(pointer: str) -> None:
    if len(pointer) > _LONGEST_POINTER:
        raise ToolFailure(
            f"a pointer has at most {_LONGEST_POINTER:,} characters, not {len(pointer):,}"
        )
    if pointer and not pointer.startswith("/"):
        raise ToolFailure(
            f"{preview(pointer, 60)} is not a JSON Pointer: it must be empty or begin with /, "
            "as in /content/title"
        )


def _check(widget_type: WidgetType, text: str, kind: str) -> Report:
    check = widget_type.check_json if kind == "data" else widget_type.check_document_json
    return check(text)


def _findings(widget_type: WidgetType, value: Any, kind: str) -> Sequence[Finding]:
    check = widget_type.check if kind == "data" else widget_type.check_document
    return check(value).findings


def as_patch(finding: Finding) -> list[Answer] | None:
    """Return the fix of a finding as a JSON Patch (RFC 6902); None if it has none."""
    if finding.fix is None or finding.fix.replace == "character":
        return None
    value = parse(finding.fix.text).root.value
    if finding.fix.replace == "value":
        return [{"op": "replace", "path": finding.path, "value": value}]
    above = parse_pointer(finding.path)[:-1]
    return [{"op": "move", "from": finding.path, "path": format_pointer([*above, value])}]


def _report(report: Report) -> Answer:
    return {
        "valid": report.valid,
        "findings": [_finding(one) for one in report.findings[:MOST_FINDINGS]],
        **_cut("findings", len(report), MOST_FINDINGS),
    }


def _finding(finding: Finding) -> Answer:
    repair, patch = finding.fix, as_patch(finding)
    return {
        "code": finding.keyword,
        "path": finding.path,
        "message": finding.message,
        **({} if finding.hint is None else {"hint": finding.hint}),
        **({} if finding.line is None else {"line": finding.line, "column": finding.column}),
        **(
            {}
            if not repair or not patch
            else {"patch": patch, "applicability": repair.applicability}
        ),
    }


def _cut(what: str, count: int, limit: int) -> Answer:
    """Return a note on what an answer leaves out, if it does."""
    return {} if count <= limit else {f"more_{what}": count - limit}


def _fields(root: FormField) -> Iterator[FormField]:
    """Yield the fields that can be filled in now: those with findings, and those without value."""
    for field in root.walk():
        if field.path is None:
            continue
        if field.findings or (field.shown.state == "unset" and field is not root):
            yield field


def _urgency(field: FormField) -> int:
    """Return 0 for a field with findings, 1 for one that is required, 2 for others."""
    return 0 if field.findings else 1 if field.shape.required else 2


def _field(field: FormField) -> Answer:
    shape = field.shape
    default: Mapping[str, Any] = {} if shape.default is None else {"default": shape.default}
    choices = [one.value if one.value is not None else one.label for one in shape.choices]
    return {
        "path": field.path,
        "label": one_line(field.label or shape.label, _LONGEST_LABEL),
        "kind": shape.kind,
        "required": shape.required,
        **({"help": one_line(shape.help, _LONGEST_LABEL)} if shape.help else {}),
        **({"limits": shape.limits} if shape.limits else {}),
        **({"one_of": choices[:_MOST_CHOICES]} if choices else {}),
        **_cut("choices", len(choices), _MOST_CHOICES),
        **default,
        **({"findings": [one.message for one in field.findings]} if field.findings else {}),
    }
