"""`EditorSession`: one edited file, from what a page sends to what the next page shows.

Nothing is written without being asked for, and never over a version that the page has not seen.
There is no HTTP here, and no HTML.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from widgetschema.editor import notices
from widgetschema.editor.document import DocumentOpener
from widgetschema.editor.history import EditHistory, PageState, Step
from widgetschema.editor.preview import Preview
from widgetschema.editor.reconciliation import PageControls, PageFields, Reconciled, Reconciler
from widgetschema.editor.revisiting import revisit
from widgetschema.editor.texts import text as text_of
from widgetschema.editor.views import Notice, Review, View, diff_lines
from widgetschema.errors import StoreError
from widgetschema.files import digest
from widgetschema.forms.changes import Change, Side, compare
from widgetschema.forms.control_names import (
    ACTION,
    CHECK,
    CHOICE,
    DUE,
    REMOVED,
    ROOT,
    companion_name,
)
from widgetschema.forms.newlines import normalize_newlines, restore_newlines
from widgetschema.forms.preview import PreviewPage, own_copy, preview_message
from widgetschema.languages import ENGLISH, Language
from widgetschema.project.edited_file import (
    NO_FILE,
    UNREADABLE,
    EditedFile,
    FileChanged,
    FileVersion,
)

_MOST_KEPT: Final = 5  # notices that stay
_REMOVED: Final = companion_name(REMOVED, ROOT)  # the beginning of controls with removed rows
_WAYS: Final = ("back", "forward")  # requests of buttons that lead through the history


class EditorError(Exception):
    """A request or the file cannot be used: a sentence to show, and the HTTP status.

    `detail` is for developers, in English.
    """

    def __init__(self, status: int, sentence: str, detail: str = "") -> None:
        super().__init__(status, sentence)
        self.status = status
        self.sentence = sentence
        self.detail = detail


class Saved(NamedTuple):
    """The file was written or restored: the notice and the step for the page that follows."""

    done: str
    step: str = ""


class EditorSession:
    """One file, edited on any number of pages. Safe to share among threads.

    `initial` is the text of a file that does not exist yet. `preview` is shown beside the form.
    Pages are in `language`.
    """

    def __init__(
        self,
        file: EditedFile,
        opener: DocumentOpener,
        initial: str = "",
        preview: Preview | None = None,
        language: Language = ENGLISH,
    ) -> None:
        self.file = file
        self.language = language
        self.preview = preview
        self._reconciler = Reconciler(opener)
        self._initial = initial
        self._history = EditHistory()
        self._lock = threading.Lock()

    def show(self, done: str = "", step: str = "") -> View:
        """Return the view of the file as it is now, after a step. Raise `EditorError`."""
        with self._lock:
            now = self._current_version()
            view = self._view(self._reconciler.agreement(self._text(now)), now.digest, now)
            view = self._recorded(view, step)
            if done == "saved" and view.was_saved:
                view = _with_notice(view, notices.saved())
            elif done == "undone":
                view = _with_notice(view, notices.notice("done.undone"))
            if now.digest == NO_FILE:
                return _with_notice(view, notices.notice("notice.new-file"))
            return _with_notice(view, notices.notice("notice.mark")) if now.has_mark else view

    def is_current(self, version: str, type_id: str = "", schema: str = "") -> bool:
        """Return True if the file still has this version, and its type this schema."""
        with self._lock:
            now = self._current_version()
            return now.digest == version and self._reconciler.is_current(type_id, schema)

    def live_view(self, fields: PageFields) -> View:
        """Return the view for a page on which a person types.

        What is chosen in conflicts does not count before a button is pressed. Raises `EditorError`
        and `FormError`.
        """
        begin = companion_name(CHOICE, ROOT)
        fields = {name: one for name, one in fields.items() if not name.startswith(begin)}
        controls = PageControls.read(fields)
        with self._lock:
            now = self._current_version()
            view = self._reconcile(controls, now, fields)
            return replace(self._revisited(view, controls, now), is_live=True)

    def post(self, fields: PageFields) -> View | Saved:
        """Return the view that follows a submitted page. Raise `EditorError` and `FormError`."""
        controls = PageControls.read(fields)
        with self._lock:
            now = self._current_version()
            if {*fields.get(ACTION, ())} - {CHECK}:  # what was typed is a step before the button's
                typed = {name: one for name, one in fields.items() if name != ACTION}
                controls = replace(controls, step=self._reconcile(controls, now, typed).step)
            view = self._reconcile(controls, now, fields)
            if controls.do in _WAYS:
                return self._revisited(view, controls, now)
            if view.needs_choice or ACTION in fields or controls.do in ("form", "pane", "merge"):
                return view
            if controls.do == "undo":
                return self._undo(view)
            if controls.do == "overwrite":
                return self._reviewed(self._compared_with_file(view, now.digest, now), now)
            if controls.do == "save":
                return self._save(view, controls, now)
            return self._reviewed(view, now)

    def previewed(self, step: str) -> PreviewPage:
        """Return the preview of the data at a step. Raise `EditorError` if there is none."""
        if self.preview is None:
            raise EditorError(404, text_of("error.no-preview"))
        with self._lock:
            at = self._history.step(step)
            if at is None or not self._is_known(at):
                raise EditorError(410, text_of("error.forgotten"))
            done = self._replayed(at.state, {})
        form = done.opened.form
        if form is None:
            return preview_message(text_of("preview.unreadable"), text_of("preview.not-yet"))
        data = form.data if done.submission is None else done.submission.data
        return self.preview.show(own_copy(data, form.source.checks.limits))

    # What to do

    def _reviewed(self, view: View, now: FileVersion) -> View:
        if view.is_refused:
            return replace(view, status=422)
        if view.version != now.digest:
            return replace(view, status=409)
        if not view.changed:
            return _with_notice(view, notices.notice("notice.nothing-to-save"))
        lines = diff_lines(now.text or "", view.text, self.file.name)
        changes = self._changes(view, now)
        name = _text_digest(view.text)
        return replace(view, review=Review(lines, name, not view.valid, changes))

    def _changes(self, view: View, now: FileVersion) -> tuple[Change, ...]:
        """Return what saving changes, in the words of the form; nothing if there is no form."""
        form = view.form
        if form is None or view.is_refused:
            return ()
        after = Side(form.source.with_text(view.text).tree.root.value, "", form.words)
        if now.text is None:  # a new file: everything is added
            return compare(Side(type(after.value)(), "", form.words), after)
        before = self._reconciler.open(now.text).form
        if before is None:
            return ()
        old = Side(before.tree.root.value, "", before.words)
        return compare(old, after)

    def _save(self, view: View, controls: PageControls, now: FileVersion) -> View | Saved:
        if not view.complete:
            return _with_notice(view, notices.notice("notice.not-complete"), 422)
        if view.version != now.digest:
            return replace(view, status=409)
        if view.is_merged and view.changed:
            return _with_notice(view, notices.notice("notice.look-first"), 409)
        if not view.changed:
            return _with_notice(view, notices.notice("notice.nothing-to-save"))
        why = None
        if controls.reviewed and controls.reviewed != _text_digest(view.text):
            why = notices.notice("notice.reviewed-other")
        elif not view.valid and not controls.insist:
            why = notices.notice("notice.invalid", number=len(view.findings))
        if why is not None:
            return _with_notice(self._reviewed(view, now), why, 422)
        try:
            after = self.file.save(view.text, now.digest)
        except FileChanged as changed:
            return replace(self._compared_with_file(view, view.version, changed.now), status=409)
        except (OSError, StoreError) as error:
            return _with_notice(
                view, notices.notice("notice.write-failed", reason=notices.io_reason(error)), 500
            )
        self._history.replaced(view.step, now.digest, after.digest)
        return Saved("saved", view.step)

    def _undo(self, view: View) -> View | Saved:
        before = self._current_version()
        try:
            now = self.file.undo()
        except FileChanged as changed:
            again = self._compared_with_file(view, view.version, changed.now)
            return _with_notice(again, notices.notice("notice.not-undone"), 409)
        except (OSError, StoreError) as error:
            return _with_notice(
                view, notices.notice("notice.write-failed", reason=notices.io_reason(error)), 500
            )
        self._history.replaced(view.step, before.digest, now.digest)
        if not view.changed and not view.is_refused:
            return Saved("undone", view.step)
        return _with_notice(
            self._compared_with_file(view, now.digest, now), notices.notice("done.undone-beside")
        )

    # What is shown

    def _reconcile(self, controls: PageControls, now: FileVersion, fields: PageFields) -> View:
        done = self._reconciler.reconcile(controls, fields)
        if done is None:
            return self._recorded(self._recovered(controls, now), controls.step)
        is_pressed = {*fields.get(ACTION, ())} - {CHECK}
        view = self._merged(done, controls, now, fields)
        if view is None:
            view = self._reconciled(done, controls.version, now, fields)
        if controls.do not in _WAYS:
            news = [notices.RULES] if done.is_of_new_schema else []
            news += [notices.ROWS] if _has_lost_rows(view, controls, fields) else []
            view = _with_kept_notices(view, controls, news)
        visit = "" if is_pressed else controls.visit
        return self._recorded(view, controls.step, visit, controls.edit)

    def _merged(
        self, done: Reconciled, controls: PageControls, now: FileVersion, fields: PageFields
    ) -> View | None:
        """Return the view with the edits that others have made of the file, or choices.

        None if there are none, or they cannot be merged.
        """
        before, text = self._reconciler.texts.get(controls.version), now.text
        if controls.version == now.digest or before is None or text is None or now.problem:
            return None
        if controls.do in (*_WAYS, "overwrite") or done.is_conflict or done.refused is not None:
            return None
        if _text_digest(done.text) == now.digest:
            return None
        merge = self._reconciler.merge_file(done, controls, fields, before, text)
        if merge is None:
            return None
        merged, conflicts, edits = merge
        is_own = self.file.was_saved(now.digest)
        if merged is not None:
            view = self._view(merged, now.digest, now)
            places = notices.labels_of(view.form, edits)  # none if all that came in was chosen
            found = (notices.merged_edits(places, is_own=is_own),) if places else ()
            return replace(view, notices=(*view.notices, *found), is_merged=True)
        view = self._view(done, controls.version, now)
        sides = ("conflict.mine", "conflict.file")
        choices = notices.member_choices(view.form, conflicts, fields, sides)
        [changed] = view.notices
        notice = notices.concurrent_edits(choices, changed, is_own=is_own)
        return replace(view, notices=(notice,), status=409)

    def _reconciled(
        self, done: Reconciled, version: str, now: FileVersion, fields: PageFields
    ) -> View:
        view = self._view(done, version, now)
        if done.is_conflict:
            lines = diff_lines(
                normalize_newlines(done.text), normalize_newlines(done.pane), self.file.name
            )
            sides = ("conflict.form", "conflict.json")
            choices = notices.member_choices(view.form, done.conflicts, fields, sides)
            notice = notices.conflicting_edits(lines, choices)
            view = replace(_with_notice(view, notice, 409), needs_choice=True)
        return view

    # The history of edits

    def _recorded(self, view: View, step: str, visit: str = "", edit: int = 0) -> View:
        """Return the view with its step in the history, after another one."""
        state = PageState.of_view(view)
        return self._at_step(view, self._history.record(step, state, visit, edit))

    def _at_step(self, view: View, step: Step) -> View:
        return replace(
            view,
            step=step.name,
            can_undo=self._is_known(self._history.before(step)),
            can_redo=self._is_known(self._history.after(step)),
        )

    def _is_known(self, step: Step | None) -> bool:
        return step is not None and self._reconciler.texts.get(step.state.of) is not None

    def _revisited(self, view: View, controls: PageControls, now: FileVersion) -> View:
        """Return the view before or after the last edit, if a button asks for that."""
        if controls.do not in _WAYS:
            return view
        is_undo = controls.do == "back"
        here = self._history.record(view.step, PageState.of_view(view))
        there = self._history.undone(here) if is_undo else self._history.after(here)
        if there is None or not self._is_known(there):
            return view
        form = None if view.submission is None else view.submission.form
        due = {name: one for name, one in ((form and form.posted) or {}).items() if name == DUE}
        done = self._replayed(there.state, due)
        state = there.state  # what others have edited since then is not merged into an earlier step
        found = self._at_step(self._reconciled(done, state.version, now, {}), there)
        names = here.state.changes(there.state)
        return replace(found, is_live=True, revisit=revisit(view, found, names, is_undo=is_undo))

    def _replayed(self, state: PageState, due: PageFields) -> Reconciled:
        """Return what a page led to; its text is known. `due` is the control of that name."""
        page = PageControls(of=state.of, pane_of=state.pane_of, pane=state.pane)
        done = self._reconciler.reconcile(page, {**state.controls, **due})
        assert done is not None
        return done

    def _recovered(self, controls: PageControls, now: FileVersion) -> View:
        """Return a page made of the JSON pane, since its text was forgotten."""
        text = (
            self._text(now)
            if controls.pane is None
            else restore_newlines(controls.pane, now.text or "")
        )
        view = self._view(self._reconciler.agreement(text), controls.version, now)
        return replace(
            _with_notice(view, notices.notice("notice.forgotten"), 409), needs_choice=True
        )

    def _view(self, done: Reconciled, version: str, now: FileVersion) -> View:
        of = _text_digest(done.opened.text)
        self._reconciler.texts.keep(of, done.opened.text)
        view = View(
            done.opened,
            done.submission,
            done.text,
            done.pane,
            of=of,
            pane_of=done.pane_of,
            refused=done.refused or done.opened,
            findings=self._reconciler.opener.findings(done.opened, done.submission),
        )
        return self._compared_with_file(view, version, now)

    def _compared_with_file(self, view: View, version: str, now: FileVersion) -> View:
        """Return the view with the state of the file; it is to replace the `version`."""
        if _text_digest(view.text) == now.digest:
            version = now.digest  # another program wrote the same text
        is_other = version != now.digest
        before = self._reconciler.texts.get(version)
        return replace(
            view,
            version=version,
            changed=now.raw is None or _text_digest(view.text) != now.digest,
            was_saved=self.file.was_saved(now.digest),
            undoable=self.file.undoable and self.file.was_saved(now.digest),
            notices=(notices.file_changed(before, now, self.file.name),) if is_other else (),
        )

    # The file

    def _current_version(self) -> FileVersion:
        self._reconciler.opener.refresh()
        try:
            now = self.file.now()
        except (OSError, StoreError) as error:
            return FileVersion(None, UNREADABLE, notices.io_reason(error))
        if now.text is not None:
            self._reconciler.texts.keep(now.digest, now.text)
        return now

    def _text(self, now: FileVersion) -> str:
        """Return the text in the file; of a missing file, the initial text."""
        if now.digest == NO_FILE:
            return self._initial
        if now.problem:
            raise EditorError(500, text_of("error.unreadable-file", reason=now.problem))
        text = now.text
        if text is None or "\0" in text:
            raise EditorError(500, text_of("error.no-text"))
        self._initial = text
        return text


def _text_digest(text: str) -> str:
    return digest(text.encode())


def _has_lost_rows(view: View, controls: PageControls, fields: PageFields) -> bool:
    """Return True if a form of another text follows, in which removed rows cannot be restored."""
    if view.of == controls.of:
        return False
    before = {name for name, values in fields.items() if any(values)}
    after = set() if view.submission is None else {*(view.submission.form.posted or ())}
    return any(name.startswith(_REMOVED) for name in before - after)


def _with_kept_notices(view: View, controls: PageControls, news: Sequence[str]) -> View:
    """Return the view with the notices that stay: the news, and those of the pages before it."""
    here = [notice.keep for notice in view.notices]
    said = [one for one in controls.said[-_MOST_KEPT:] if one not in here]
    said += [one for one in news if one not in said]
    found = filter(None, map(notices.kept, said))
    return replace(view, notices=(*found, *view.notices))


def _with_notice(view: View, notice: Notice, status: int = 200) -> View:
    return replace(view, notices=(*view.notices, notice), status=status)
