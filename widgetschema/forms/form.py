"""`Form`, `Submission`, and `FormFactory`, which makes forms of one schema.

A form knows the text that it was made of and, if it shows a submission, what was posted. It
never changes: submitting it makes a `Submission` with another form.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, Unpack

from widgetschema.cached import cached_property
from widgetschema.errors import (
    FormError,
    InvalidFormDescription,
    InvalidWidgetData,
    StaleForm,
    UnreadableDocument,
)
from widgetschema.findings import Finding, Report
from widgetschema.forms import html
from widgetschema.forms.advice import Adviser
from widgetschema.forms.changes import Change, Side, compare
from widgetschema.forms.checking import SchemaChecks, with_indices, with_lines
from widgetschema.forms.conflicts import field_at
from widgetschema.forms.control_names import (
    ACTION,
    BASE,
    CHOICE,
    DUE,
    ROOT,
    TEXT,
    Action,
    companion_name,
    control_name,
    is_within,
    parse_action,
    prefixed,
)
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.field_specs import FieldSpecs
from widgetschema.forms.fields.ui_description import parse_ui_description
from widgetschema.forms.fields.ui_files import UiFile
from widgetschema.forms.form_state import FormState
from widgetschema.forms.html.rendering import PageOptions, RenderOptions
from widgetschema.forms.model import (
    CONTAINER_KINDS,
    ID,
    Field,
    FormFinding,
    Message,
    PostedControls,
    in_form_order,
    with_findings,
)
from widgetschema.forms.posted_controls import (
    SHAPE,
    PostedFields,
    ignored_members,
    lacks_files,
    other_prefix,
    pairs_of,
    read_controls,
    without_fields,
)
from widgetschema.forms.secrecy import (
    HIDDEN,
    concealed_findings,
    is_own_key,
)
from widgetschema.forms.submit.edits import DataEdit, typed_in
from widgetschema.forms.submit.pipeline import SubmissionResult, apply_controls, moved_rows
from widgetschema.forms.submit.rebasing import (
    Rebased,
    edits_since,
    lists_with_secrets,
    mine_of_same_type,
    rebase,
    source_of_base,
)
from widgetschema.forms.submit.side_state import unread_controls
from widgetschema.forms.submit.stale_controls import (
    gone_findings,
    gone_texts,
    inactive_controls,
    is_inside,
    is_of_rest,
    present_controls,
    unlike_controls,
)
from widgetschema.forms.submit.steps import (
    PostedPage,
    Steps,
    draft_of,
    page_controls,
    step_of,
    take_steps,
)
from widgetschema.forms.texts import text
from widgetschema.jsontext import Guard, Text, dump, plain_copy, preview, read
from widgetschema.jsontext.merging import ConcurrentEdit
from widgetschema.jsontext.tree import parse
from widgetschema.languages import ENGLISH, Language, speaking
from widgetschema.lazy import names_successors
from widgetschema.pointers import display_pointer
from widgetschema.schema.tree import SchemaTree
from widgetschema.text import plural
from widgetschema.validation import Validator

if TYPE_CHECKING:
    from widgetschema.forms.exports import Export

_MAX_DESCRIPTIONS: Final = 16
_ID: Final = re.compile("[A-Za-z][A-Za-z0-9_-]*")
_PREFIX: Final = re.compile("[A-Za-z0-9_-]*")

BaseMatch = Literal["same", "respelled", "other data", "other controls"]
OnStale = Literal["refuse", "rebase"]

_CONFLICT: Final = ("somebody else has changed this as well", "choose which of both to keep")
_STALE: Final[Mapping[str, tuple[str, str]]] = {
    "other data": (
        "the data was changed by somebody else since this form was shown",
        "the form has what you typed: compare it with the data before you save",
    ),
    "other controls": (
        "the form has other fields or rules than when it was shown",
        "it has what you typed, but not what you chose from lists: check it before you save",
    ),
}


@names_successors
@dataclass(frozen=True, eq=False, repr=False)
class Form(FormState):
    """A form to edit data in a JSON text. Make one with `WidgetType.form` or `form_json`.

    Forms are immutable, safe to share among threads, and can be pickled. Iterating yields
    field, in the order of the page.

    Attributes:
        factory: The factory that made it.
        source: The text and the schema that it was made of. After a submission that changed which
            fields there are, `posted` has the steps from this text to that of the fields.
        root: The field of the data as a whole.
        data: The value of the data; after a submission, the submitted one.
        report: The findings, in the order of the form.
        posted: The controls that were submitted, by name; None for a new form.
        action: The button that was pressed, unless it was the one that saves.
        conflicts: The places that somebody else has edited as well, for a person to choose.
        ui: The UI description, as it was given.
        id: The beginning of all HTML ids in the form.
        prefix: The beginning of the names of all controls, and of all ids; "" for none.

    """

    _: KW_ONLY
    factory: FormFactory

    def __reduce__(self) -> tuple[Any, ...]:
        made_of = (self.text, self.at, self.ui, self.id, self.prefix, self.language)
        return _rebuild, (self.factory, made_of, self.posted, self.action, self.conflicts)

    def __repr__(self) -> str:
        return f"<Form of {self.report.subject}: {plural(len(self.report), 'finding')}>"

    def __iter__(self) -> Iterator[Field]:
        return self.root.walk()

    def field(self, pointer: str) -> Field | None:
        """Return the field of a value; of a value with alternatives, the one that chooses.

        Args:
            pointer: A JSON Pointer (RFC 6901) into the whole text.

        Returns:
            The field, or None if there is none.

        """
        return next((field for field in self.root.walk() if field.path == pointer), None)

    def submit(
        self,
        fields: PostedFields,
        on_stale: OnStale = "refuse",
        files: PostedFields | None = None,
    ) -> Submission:
        """Return the text and the form that result from the controls that were posted.

        A control that is missing from `fields` leaves its value unchanged. A form with a prefix
        reads the controls with that prefix, and ignores all others.

        Args:
            fields: The posted controls as a framework gives them: a mapping of names to a text or
                several, a werkzeug `MultiDict`, a Django `QueryDict`, a Starlette `FormData`, or
                pairs.
            on_stale: The way to treat controls of a form of other data. "refuse" raises
                `StaleForm`. "rebase" merges what was edited in that form into the data of this one;
                where both were edited, the submission has `conflicts`, is not `valid`, and its form
                lets the person choose.
            files: The files that were posted, if the framework gives them apart from other fields.

        Returns:
            The submission. Check `valid` before you save its `text`.

        Raises:
            StaleForm: The controls belong to a form of other data, or of a schema with other
                rules, and were not merged. The error has a form with what was typed.
            TooManyFields: More controls were posted than a form may have.
            FormError: A control is not text, the files of a form that has some were not passed, the
                posted text is too large, two forms were posted under the same names, or this form
                was shown with another prefix.

        """
        if isinstance(fields, Iterator):
            fields = list(fields)
        all_fields = fields if files is None else [*pairs_of(files), *pairs_of(fields)]
        controls = read_controls(all_fields, self.source.checks.limits, self.prefix)
        if files is None and self.has_uploads and BASE in controls:
            has_controls = any(one.kind == "upload" and not one.read_only for one in self)
            if has_controls and lacks_files(fields, self.prefix):
                raise FormError(
                    "the form has files: pass those that were posted as well, as in "
                    "form.submit(request.form, files=request.files)"
                )
        if not controls and (other := other_prefix(fields, self.base)) is not None:
            raise FormError(
                f"the form was shown with the prefix {preview(other)} and submitted to a form with "
                f"the prefix {preview(self.prefix)}; pass the same `prefix` each time"
            )
        text = controls.pop(TEXT, [None])[0]
        steps = take_steps(controls)
        begin = companion_name(CHOICE, ROOT)
        due = controls.pop(DUE, None)
        choices = {name: controls.pop(name) for name in [*controls] if name.startswith(begin)}
        match = self._match_base(controls[BASE][0]) if BASE in controls else "same"
        action = parse_action(controls.get(ACTION, [""])[0])
        if match == "same":
            shown = draft_of(self.source, steps)
            root = shown.build(None, shown.data) if steps else self.root
            result = apply_controls(shown, edits_since(shown, controls, root), action)
            ignored = ignored_members(controls, result.readings[0].root)
            submission = self._submission(result, action, steps)
            submission = _with_due(submission, due, result.readings[0].root)
            page = PostedPage(controls, result.page)
            return replace(submission, ignored=ignored, page=page)
        has_own = self._has_own_key(controls[BASE][0])
        base = None if text is None else source_of_base(self.source, text, has_own_key=has_own)
        is_merged = on_stale == "rebase" or match == "respelled"
        if is_merged and base is not None and match != "other controls":
            rebased = rebase(base, steps, self.source, controls, action, choices)
            if on_stale == "rebase" or not rebased.conflicts:
                submission = self._rebased(rebased, controls, action)
                submission = _with_due(submission, due, submission.form.root)
                return replace(submission, ignored=ignored_members(controls, self.root))
        raise self._stale(match, controls, steps, base)

    def _match_base(self, base: str) -> BaseMatch:
        """Return how the form that was posted with this `base#` relates to this one.

        Of "respelled" data, the value that a page shows is the same.
        """
        controls, data, text = (*base.split("-"), "", "", "")[:3]
        if controls != self._controls_digest:
            return "other controls"
        if text == self._text_digest:
            own, secrets = self._secrets_digest, tuple(base.split("-")[3:])
            is_same = own == secrets or (own and secrets and not is_own_key(secrets[0]))
            return "same" if is_same else "respelled"
        return "respelled" if data == self.base.split("-")[1] else "other data"

    def _has_own_key(self, base: str) -> bool:
        """Return True unless placeholders of the form that was posted have another key."""
        secrets = base.split("-")[3:]
        return not secrets or is_own_key(secrets[0])

    def _submission(
        self, result: SubmissionResult, action: Action | None, steps: Steps = ()
    ) -> Submission:
        """Return the submission of controls of a page with these steps."""
        steps = (*steps, *(step_of(one.controls) for one in result.readings[:-1]))
        posted = page_controls(result.controls, steps, self.source)
        form = replace(
            self,
            root=result.root,
            data=result.data,
            report=self.source.checks.report(result.findings),
            posted=posted,
            action=action,
        )
        moved = moved_rows(result.readings[0].root, result.root) if result.readings[1:] else {}
        return Submission(form, result.text, result.data, result.is_complete, moved)

    def _rebased(
        self, rebased: Rebased, posted: PostedControls, action: Action | None
    ) -> Submission:
        """Return the submission of controls that were merged into the data of this form."""
        form = self
        if rebased.source is not self.source:
            form = replace(self, source=rebased.source)
        controls = {**rebased.controls}
        controls.update((name, posted[name]) for name in (BASE, SHAPE) if name in posted)
        shown = draft_of(form.source, rebased.steps)
        submission = form._submission(apply_controls(shown, controls, None), None, rebased.steps)
        form = replace(submission.form, action=action)
        if rebased.lost:
            report = self.source.checks.report((*rebased.lost, *form.report))
            form = replace(form, report=report)
        submission = replace(
            submission,
            form=_with_conflicts(form, rebased.conflicts),
            complete=submission.complete and not rebased.lost,
            merged=rebased.changes,
            posted_conflicts=tuple(
                replace(one, path=rebased.posted_paths.get(one.path, one.path))
                for one in rebased.conflicts
            ),
        )
        if rebased.conflicts:  # nothing is applied before a person has chosen
            return replace(submission, text=self.text, data=self.source.value)
        return submission

    def _stale(
        self,
        match: BaseMatch,
        controls: PostedControls,
        steps: Steps,
        base: FormSource | None,
    ) -> StaleForm:
        """Return the error for controls of another form, with a form of what was typed."""
        rest = {name: values for name, values in controls.items() if name not in (BASE, SHAPE)}
        rest = page_controls(rest, steps, self.source)
        findings = list[Finding]([_stale_finding(match, self.at)])
        if base is not None and match != "other controls":
            rebased = rebase(base, steps, self.source, controls, None, {}, mine_of_same_type)
            form = self._rebased(rebased, controls, None).form
        else:
            form, gone = self._retyped(controls, steps, base, is_same=match != "other controls")
            findings += gone
        report = self.source.checks.report((*findings, *form.report))
        return StaleForm(replace(form, report=report), rest)

    def _retyped(
        self, controls: PostedControls, steps: Steps, base: FormSource | None, *, is_same: bool
    ) -> tuple[Form, list[Finding]]:
        """Return this form with what was typed in another one, and findings about the rest.

        Controls are read by their names. What the control of its place cannot show is in a control
        of its own.
        """
        first = shown = self.source if base is None else base
        # Without the text, rows may be others: none may get what is kept of another one.
        lists = lists_with_secrets(self.source) if base is None else ()
        kinds, texts = _posted_kinds(controls), dict[str, str]()
        typed, done = PostedControls(), list[PostedControls | DataEdit]()
        for step in (*steps, controls):
            if isinstance(step, DataEdit):
                if base is None:
                    of_edit = typed_in(step.said, self.at).items()
                    texts |= {control_name(at): said for at, said in of_edit}
                else:
                    done.append(step)
                    shown = draft_of(shown, (step,))
                continue
            root = shown.build(None, shown.data)
            tree = None if base is None else shown.tree
            gone = [name for name in step if is_inside(name, lists) or is_of_rest(name)]
            kept = {name: one for name, one in step.items() if name not in gone}
            others = unlike_controls(kept, kinds, root, tree)
            edits = without_fields(edits_since(shown, kept, root), others)
            typed = present_controls(edits, root, choices=is_same)
            read = shown.read(typed)
            texts |= gone_texts({name: step[name] for name in gone}, (), tree)
            texts |= {**others, **gone_texts(typed, {one.name for one in read.walk()}, tree)}
            texts |= {name: typed[name][0] for name in inactive_controls(read) if name in typed}
            if step is not controls:
                done.append(typed)
                shown = draft_of(shown, (typed,))
        texts = {name: said for name, said in texts.items() if said}
        rebased = rebase(first, tuple(done), self.source, typed, None, {}, mine_of_same_type)
        shown = draft_of(self.source, rebased.steps)
        unread, left = unread_controls(texts, shown, shown.read(rebased.controls))
        rebased = replace(rebased, controls={**rebased.controls, **unread})
        hides = self.source.is_secret_control
        left = {name: HIDDEN if hides(name) else said for name, said in left.items()}
        return self._rebased(rebased, {}, None).form, [*gone_findings(left, self.at)]

    def render(self, **options: Unpack[RenderOptions]) -> str:
        """Return the form as HTML markup, for a page of yours.

        Args:
            **options: See `widgetschema.forms.html.render`: `action`, `method`, `hidden`, `live`,
                `templates`, `submit`, `theme`, `tag`.

        Raises:
            MissingExtra: Jinja2 is not installed (extra `forms`).
            InvalidTemplate: A template or the theme cannot be used.

        """
        return html.render(self, **options)

    def page(self, **options: Unpack[PageOptions]) -> str:
        """Return the form as a whole HTML page.

        Args:
            **options: See `widgetschema.forms.html.page`: those of `render` except `tag`, and
                `title`, `assets`, `notice`.

        Raises:
            MissingExtra: Jinja2 is not installed (extra `forms`).
            InvalidTemplate: A template or the theme cannot be used.

        """
        return html.page(self, **options)

    def to_rjsf(self) -> Export:
        """Return the form for react-jsonschema-form, with what it cannot represent (`losses`)."""
        from widgetschema.forms.exports import to_rjsf

        with speaking(self.language):
            return to_rjsf(self.source, self.root.label)

    def to_jsonforms(self) -> Export:
        """Return the form for JSON Forms, with what it cannot represent (`losses`)."""
        from widgetschema.forms.exports import to_jsonforms

        with speaking(self.language):
            return to_jsonforms(self.source, self.root.label)


@names_successors
@dataclass(frozen=True, eq=False, repr=False)
class Submission:
    """The result of a form that was submitted.

    Attributes:
        form: The form to show again, with what was typed and the findings.
        text: The whole new JSON text. A value that could not be read is in `form` only; `text`
            has what was there before.
        data: The value of the part of `text` that the form is about.
        complete: True if every control could be read.
        moved: The names of rows in `form`, by those in the form that was submitted, if they differ.
        merged: The edits of others since the form was shown, which are in the text as well.
        ignored: The JSON Pointers of hidden properties and read-only values that controls were
            posted for, and of values that are no files but for which one was posted. No form has
            such controls; they change nothing.
        posted_conflicts: The `conflicts` by their places in the text of the form that was
            submitted, for a page that shows that form again.
        page: The controls of the page that was submitted; None if they were merged into other data.

    """

    form: Form
    text: str
    data: Any
    complete: bool
    moved: Mapping[str, str]
    merged: tuple[ConcurrentEdit, ...] = ()
    ignored: tuple[str, ...] = ()
    posted_conflicts: tuple[ConcurrentEdit, ...] = ()
    page: PostedPage | None = None

    def __repr__(self) -> str:
        state = "valid" if self.valid else "invalid" if self.complete else "incomplete"
        return f"<Submission: {'changed' if self.changed else 'unchanged'}, {state}>"

    @property
    def report(self) -> Report:
        """Unreadable controls and the findings of the validator, in the order of the form."""
        return self.form.report

    @property
    def action(self) -> Action | None:
        """The button that changes the form or only checks it; None for the one that saves.

        If there is one, show `form` again and save nothing.
        """
        return self.form.action

    @property
    def changed(self) -> bool:
        """True if the new text differs from the one that the form was made of."""
        return self.text != self.form.text

    @property
    def conflicts(self) -> tuple[ConcurrentEdit, ...]:
        """The places that somebody else has edited as well since the form was shown.

        If there are any, nothing is applied: `text` is that of the form that was submitted to, and
        `form` lets the person choose for each.
        """
        return self.form.conflicts

    @property
    def notice(self) -> str:
        """The sentence to show after saving, or else above the form that a person gets back.

        It says that the data is saved, with the number of `merged` edits; or, if nothing can be
        saved, only that number, and "" if it is 0.
        """
        is_saved = self.valid and self.action is None
        with speaking(self.form.language):
            if not self.merged:
                return text("notice.saved") if is_saved else ""
            name = "merged" if is_saved else "merged-unsaved"
            return text(f"notice.{name}", number=len(self.merged))

    @property
    def valid(self) -> bool:
        """True if every control could be read, there are no conflicts, and the data is valid."""
        return self.complete and self.report.valid and not self.conflicts

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """The changes of the data, in the words of the form.

        They compare values: what is only spelled in another way is no change. What could not be
        read is not among them.
        """
        source, at = self.form.source, self.form.at
        root = source.build(None, source.data)
        old = Adviser(root, source.checks.examples, self.form.language)
        after = source.with_text(self.text).element.value
        return compare(Side(source.element.value, at, old), Side(after, at, self.form.words))

    def answer(self, **options: Unpack[RenderOptions]) -> dict[str, Any]:
        """Return the answer to a live check of the script, a JSON object.

        Args:
            **options: Those that the form was rendered with (`Form.render`).

        Returns:
            The `findings`; those that are due as markup, by the ids of their fields (`errors`) and
            together (`summary`), and the names of these fields (`due`). `html` is the markup of the
            form if its controls changed, else None: rows that stay as they are on the page are
            empty in it. `focus` is then the id of the element to focus, and `moved` has the names
            of rows that are others in it.

        Raises:
            MissingExtra: Jinja2 is not installed (extra `forms`).

        """
        return html.answer(
            self.form,
            valid=self.valid,
            complete=self.complete,
            changed=self.changed,
            moved=self.moved,
            page=self.page,
            **options,
        )


class FormFactory:
    """Makes forms of one schema, and caches what they have in common. Safe to share among threads.

    `title` is the title of pages, unless the data has one.
    """

    def __init__(self, validator: Validator, title: str = "") -> None:
        self.checks = SchemaChecks(validator)
        self.title = title
        self._specs: dict[tuple[str, Language], FieldSpecs] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.checks.validator, self.title)

    def form_json(
        self,
        raw: Text,
        at: str = "",
        ui: Mapping[str, Any] | None = None,
        id: str = ID,
        prefix: str = "",
        language: Language = ENGLISH,
        *,
        has_lines: bool = True,
    ) -> Form:
        """Return the form of the data at `at`, a JSON Pointer, in a JSON text.

        `ui` overrides labels and kinds by JSON Pointer patterns. The ids of all elements begin
        with `id`, an ASCII letter and letters, digits, `_` and `-`. With a `prefix` of the same
        characters, the names of all controls, and the ids, begin with it and a dot. Its texts are
        in `language`. Findings have lines and columns if people know the text (`has_lines`).

        Raises `UnreadableDocument`, `InvalidFormDescription`, and `FormError` if there is
        nothing at `at`, or `id` or `prefix` has other characters.
        """
        if not _ID.fullmatch(id):
            raise FormError(
                "the id of a form must be a letter, followed by letters, digits, _ and -, not "
                f"{preview(id)}"
            )
        if not _PREFIX.fullmatch(prefix):
            raise FormError(
                "the prefix of a form must consist of letters, digits, _ and -, not "
                f"{preview(prefix)}"
            )
        validator = self.checks.validator
        tree = parse(raw, validator.limits, validator.subject)
        element = tree.at(at)
        if element is None:
            raise FormError(f"cannot make a form: there is no value at {display_pointer(at)}")
        specs = self.specs(ui, language)
        source = FormSource.of(specs, tree, at, prefixed(prefix, id))
        value, data = element.value, source.data
        findings = with_indices(self.checks.check(tree.text, at, data), tree)
        if findings and specs.has_secrets:
            findings = concealed_findings(findings, source.build(None, data), source.secrets.real)
        if has_lines:
            findings = with_lines(findings, tree.text)
        root = source.build(None, data, findings)
        report = self.checks.report(in_form_order(root, findings))
        return Form(source, root, value, report, ui=ui, id=id, prefix=prefix, factory=self)

    def form(
        self,
        data: Any,
        ui: Mapping[str, Any] | None = None,
        id: str = ID,
        prefix: str = "",
        language: Language = ENGLISH,
    ) -> Form:
        """Return the form of a Python value.

        Raises `InvalidWidgetData` if JSON cannot represent it, and else as `form_json`.
        """
        plain: Any = data
        if self._guard.encode(data) is None:
            plain, unfit = plain_copy(data, self.checks.limits.max_depth)
            if unfit:
                raise InvalidWidgetData(self.checks.report(tuple(unfit)))
        return self.form_json(dump(plain), "", ui, id, prefix, language, has_lines=False)

    def specs(self, ui: Mapping[str, Any] | None, language: Language = ENGLISH) -> FieldSpecs:
        """Return what all forms with a UI description in a language have in common; cached."""
        try:
            plain = self._plain_ui(ui)
            key = "" if plain is None else dump(plain, indent=False), language
            specs = self._specs.get(key)
            if specs is None:
                described = parse_ui_description(plain, language)
                specs = FieldSpecs(self._tree, self.checks, described, language, self.title)
                if len(self._specs) >= _MAX_DESCRIPTIONS:
                    self._specs.clear()
                self._specs[key] = specs
        except InvalidFormDescription as error:
            if not isinstance(ui, UiFile):
                raise
            raise InvalidFormDescription(ui.report(error.report)) from None
        return specs

    def new_data(self) -> Any:
        """Return the data of a new document, a value of its own."""
        return copy.deepcopy(self.specs(None).new_data())

    @cached_property
    def _guard(self) -> Guard:
        return Guard(self.checks.limits.max_depth)

    @cached_property
    def _tree(self) -> SchemaTree:
        return SchemaTree(self.checks.validator.linked, self.checks.validator.matches)

    def _plain_ui(self, ui: Mapping[str, Any] | None) -> Any:
        """Return a UI description as a JSON value."""
        value = {**ui} if isinstance(ui, Mapping) else ui
        plain, unfit = plain_copy(value, self.checks.limits.max_depth)
        if unfit:
            raise InvalidFormDescription(Report(tuple(unfit), "the UI description"))
        return plain


def _with_due(submission: Submission, due: list[str] | None, posted: Field) -> Submission:
    """Return a submission whose form shows the findings of the fields in `due#`.

    A button leaves the fields that were edited before it was pressed; a new row without a text was
    not. `posted` are the fields of the form that was shown.
    """
    if due is None:
        return submission
    shown = {*due[0].split()}
    if submission.action is not None:
        edited = (field for field in posted.walk() if field.shown != field.pristine)
        shown |= {
            field.name
            for field in edited
            if field.kind not in CONTAINER_KINDS
            if field.shown.text or not field.row.startswith("+")
        }
    moved = sorted(submission.moved.items(), key=lambda pair: -len(pair[0]))

    def name_now(name: str) -> str:
        for before, now in moved:
            if is_within(name, before):
                return now + name.removeprefix(before)
        return name

    posted_controls = {**(submission.form.posted or {}), DUE: [" ".join(map(name_now, shown))]}
    return replace(submission, form=replace(submission.form, posted=posted_controls))


def _posted_kinds(controls: PostedControls) -> Mapping[str, Any]:
    """Return the `control_kinds` that a page says; none if it says something else."""
    try:
        kinds = read(controls.get(SHAPE, [""])[0][16:])
    except UnreadableDocument:
        return {}
    return kinds if type(kinds) is dict else {}


def _stale_finding(match: BaseMatch, at: str) -> FormFinding:
    match = "other data" if match == "respelled" else match
    said = Message("stale" if match == "other data" else f"stale.{match.replace(' ', '-')}")
    return FormFinding("stale", at, "", *_STALE[match], said=said)


def _with_conflicts(form: Form, conflicts: tuple[ConcurrentEdit, ...]) -> Form:
    """Return a form that says where somebody else has edited something as well."""
    if not conflicts:
        return form
    found: dict[str, list[Finding]] = {}
    for conflict in conflicts:
        field = field_at(form.root, form.at, conflict.path)
        said = Message("stale.conflict")
        finding = FormFinding("stale", field.path or form.at, "", *_CONFLICT, said=said)
        found.setdefault(field.name, []).append(finding)
    findings = [finding for those in found.values() for finding in those]
    root = with_findings(form.root, found)
    report = form.factory.checks.report(in_form_order(root, (*findings, *form.report)))
    return replace(form, root=root, report=report, conflicts=conflicts)


def _rebuild(
    factory: FormFactory,
    made_of: tuple[Any, ...],
    posted: PostedControls | None,
    action: Action | None,
    conflicts: tuple[ConcurrentEdit, ...],
) -> Form:
    """Return an unpickled form: made of its text again, and of what was posted."""
    form = factory.form_json(*made_of)
    if posted is None:
        return form
    controls = {name: one for name, one in posted.items() if name not in (ACTION, BASE)}
    pairs = [(prefixed(form.prefix, name), one) for name in controls for one in controls[name]]
    form = replace(form.submit(pairs).form, posted=posted, action=action)
    return _with_conflicts(form, conflicts)
