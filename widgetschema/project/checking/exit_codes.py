"""The exit codes of errors: one table for commands and results."""

from __future__ import annotations

from typing import Final

from widgetschema.errors import (
    ChangesUnknown,
    ClusterError,
    ConfigurationError,
    EngineUnavailable,
    FormError,
    InvalidPlan,
    InvalidTranslation,
    InvalidTypeId,
    LoginRequired,
    MissingExtra,
    NotAvailableOffline,
    PlatformError,
    ReporterError,
    SchemaError,
    StoreError,
    TokenStorageError,
    UnknownLanguage,
    UnknownWidgetType,
    UnreadableDocument,
    UnreadableSchema,
    UnsharedInput,
    WidgetSchemaError,
)

# 0 success, 1 invalid data, 2 usage, 3 unreadable input, 4 schema problem, 5 network or login.
EXIT_CODES: Final[tuple[tuple[type[WidgetSchemaError], int], ...]] = (
    (UnknownWidgetType, 2),
    (EngineUnavailable, 2),
    (MissingExtra, 2),
    (ReporterError, 2),
    (ConfigurationError, 2),
    (ChangesUnknown, 2),
    (InvalidPlan, 2),
    (FormError, 2),
    (UnknownLanguage, 2),
    (InvalidTranslation, 3),
    (UnreadableDocument, 3),
    (UnreadableSchema, 3),
    (UnsharedInput, 3),
    (SchemaError, 4),
    (StoreError, 4),
    (InvalidTypeId, 2),
    (PlatformError, 5),
    (LoginRequired, 5),
    (TokenStorageError, 5),
    (NotAvailableOffline, 5),
    (ClusterError, 5),
)


INTERRUPTED: Final = 130  # by convention of shells: 128 + SIGINT


def exit_code(error: WidgetSchemaError) -> int:
    """Return the exit code for an error."""
    return next((code for kind, code in EXIT_CODES if isinstance(error, kind)), 1)
