"""Names of earlier versions that were removed, and what to do instead.

The one table of them: errors about unknown names and the page about upgrading say the same.
"""

from __future__ import annotations

from typing import Final, Literal

Kind = Literal["option", "setting", "variable", "name"]
"""The kind of a removed name; a "name" is one of the Python API."""

# Names of modules are complete; those of attributes begin with their class.
REMOVED: Final[dict[Kind, dict[str, str]]] = {
    "option": {
        "audit --date-member": "use --date-pointer, such as --date-pointer /updated",
        "audit --envelope": "use --at, such as --at /after, if the document is inside a record",
        "audit --id-member": "use --id-pointer, such as --id-pointer /id",
        "audit --type-member": "use --type-pointer, such as --type-pointer /type",
        "diff --strict": "leave it out, since changes of unknown effect always fail",
        "validate --no-cache": "leave it out, since results are not cached",
        "validate --only-mapped": "leave it out, since files without a widget type are skipped",
    },
    "setting": {"cache": "delete it, since results are not cached"},
    "variable": {"WIDGETSCHEMA_CACHE": "unset it, since results are not cached"},
    "name": {
        "Accounts.load_catalog": "use Accounts.acatalog",
        "Catalog.at_hand": "use Catalog.cached",
        "Catalog.load": "use Catalog.aload",
        "ConcurrentEdit.is_members": "leave it out, since the texts of such a conflict are objects",
        "Form.fit": "use Form.submit",
        "Form.forms": "use WidgetType.form",
        "Form.loose": "use Form.unplaced_findings",
        "Submission.merge_notice": "use Submission.notice",
        "Validator.explain": "use Validator.iter_findings",
        "Validator.fast_path": "use widgetschema.audit.check_many",
        "Validator.lane": "use widgetschema.audit.check_many",
        "WidgetType.accepts_anything": "use WidgetType.require_clear",
        "WidgetType.describes_data": "use WidgetType.describes",
        "WidgetType.fast_path": "use widgetschema.audit.check_many",
        "WidgetType.lane": "use widgetschema.audit.check_many",
        "WidgetType.misreading": "use WidgetType.require_clear",
        "WidgetType.why_unusable": "use WidgetType.require_clear",
        "widgetschema.ToolFailure": "use widgetschema.WidgetSchemaError",
        "widgetschema.audit_records": "use widgetschema.audit.check_many",
        "widgetschema.sandbox.RunningSandbox": "use widgetschema.sandbox.Sandbox",
    },
}


def advice_on(kind: Kind, name: str) -> str | None:
    """Return a clause about a name that was removed; None for any other."""
    advice = REMOVED[kind].get(name)
    return None if advice is None else f"it was removed: {advice}"
