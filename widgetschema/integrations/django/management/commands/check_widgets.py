"""`manage.py check_widgets`: check all stored widget data of the project's models."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DEFAULT_DB_ALIAS, connections, models, router

from widgetschema.errors import MigrationFailed
from widgetschema.integrations.django.fields import widget_fields
from widgetschema.integrations.stored_columns import reading_as_stored
from widgetschema.pointers import display_pointer
from widgetschema.suggest import did_you_mean
from widgetschema.text import escaped, plural, shorten

_CHUNK = 500  # rows that are read at once
_SUMMARY = 20  # lines of the summary


class Command(BaseCommand):
    """Check all stored widget data; the exit code is 1 if any is invalid."""

    help = (
        "Check the widget data of all rows of the models with such fields. Writes the findings and "
        "a summary; the exit code is 1 if there are invalid rows. Changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        parser.add_argument(
            "models",
            nargs="*",
            metavar="app.Model",
            help="The models to check. By default, all models with widget data.",
        )
        parser.add_argument(
            "--database", default=None, help="The database; by default that of each model."
        )
        parser.add_argument(
            "--limit",
            type=int,
            default=50,
            help="Show at most this many invalid rows, 50 by default; 0 for all.",
        )
        parser.add_argument("--no-progress", action="store_true", help="Do not show progress.")

    def handle(self, *_: Any, **options: Any) -> None:
        """Check the rows."""
        audit = _Audit(self, options)
        if options["database"] is not None and options["database"] not in connections:
            known = ", ".join(connections)
            raise CommandError(f"unknown database {options['database']!r} (known: {known})")
        models = self._models(options["models"])
        try:
            for model in models:
                audit.check_model(model)
            audit.sum_up()
            self.stdout.flush()  # not at the end of the process, where nothing would handle it
        except BrokenPipeError:  # as of `| head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)  # not all of it was checked
        if audit.invalid:
            raise CommandError(f"invalid: {plural(audit.invalid, 'row')} of {audit.rows:,}")

    def _models(self, labels: list[str]) -> list[type[models.Model]]:
        """Return the models that were named, or all that store widget data in their own table."""
        known = {model._meta.label: model for model in apps.get_models() if _own_fields(model)}
        if not labels:
            if not known:
                raise CommandError("no model has a WidgetDataField or a WidgetTextField")
            return list(known.values())
        by_name = {label.casefold(): model for label, model in known.items()}
        for label in labels:
            if label.casefold() not in by_name:
                meant = did_you_mean(label, known)
                raise CommandError(
                    f"no model with widget data is called {label!r}{meant} (known: "
                    f"{', '.join(known) or 'none'})"
                )
        return [by_name[label.casefold()] for label in labels]


class _Audit:
    """The counts of one run, and its output."""

    def __init__(self, command: Command, options: dict[str, Any]) -> None:
        self.command = command
        self.options = options
        self.rows = self.invalid = self.shown = 0
        self.tally: Counter[tuple[str, str, str]] = Counter()
        self.has_progress = not options["no_progress"] and command.stderr.isatty()

    @reading_as_stored()  # so that rows are reported that cannot be migrated
    def check_model(self, model: type[models.Model]) -> None:
        """Check all rows of a model, those that its default manager hides as well."""
        database = self.options["database"] or router.db_for_read(model) or DEFAULT_DB_ALIAS
        label, fields = model._meta.label, _own_fields(model)
        columns = {one.name for one in model._meta.concrete_fields}
        wanted = {one.name for one in fields} | {one.type_field for one in fields} & columns
        rows = model._base_manager.using(database).order_by("pk").only(*wanted)
        total = rows.count()
        for number, row in enumerate(rows.iterator(chunk_size=_CHUNK), 1):
            self.rows += 1
            found = [line for field in fields for line in self._findings(label, field, row)]
            if found:
                self._show(f"{label} {shorten(escaped(str(row.pk)), 60)}", found)
            if self.has_progress and (number % _CHUNK == 0 or number == total):
                self.command.stderr.write(
                    f"\r{label}: {number:,} of {total:,} rows", ending="\n" * (number == total)
                )
                self.command.stderr.flush()

    def _findings(self, label: str, field: Any, row: models.Model) -> Iterator[str]:
        """Yield the findings of one field of a row, and count them."""
        value = getattr(row, field.attname)
        if value is None:
            return
        try:
            report = field.report(field.upgraded(value), row)
        except MigrationFailed as error:
            report = error.report
        except ValidationError as error:
            for one in error.error_list:
                kind = repr(one.params["type"]) if one.params else ""
                self.tally[f"{label}.{field.name}", str(one.code), kind] += 1
                yield f"{field.name}: {' '.join(one.messages)}"
            return
        for finding in report:
            self.tally[f"{label}.{field.name}", finding.keyword, _place(finding.path)] += 1
            yield f"{field.name}: {finding.headline}"

    def _show(self, row: str, findings: list[str]) -> None:
        self.invalid += 1
        limit = self.options["limit"]
        if limit and self.shown >= limit:
            return
        self.shown += 1
        for line in findings:
            self.command.stdout.write(f"{row}: {line}")

    def sum_up(self) -> None:
        """Write the most frequent findings, and the counts."""
        write = self.command.stdout.write
        if self.shown < self.invalid:
            write(f"… and {plural(self.invalid - self.shown, 'more invalid row')}: use --limit 0")
        for (field, code, place), count in self.tally.most_common(_SUMMARY):
            write(f"{count:>8,}  {field}  {code} {place}".rstrip())
        if len(self.tally) > _SUMMARY:
            write(f"          {plural(len(self.tally) - _SUMMARY, 'more kind')} of findings")
        write(f"{plural(self.rows, 'row')} checked, {self.invalid:,} invalid")


def _own_fields(model: type[models.Model]) -> list[Any]:
    """Return the fields with widget data in the table of a model, not in that of its parents."""
    own = set(model._meta.local_concrete_fields)
    return [] if model._meta.proxy else [one for one in widget_fields(model) if one in own]


def _place(path: str) -> str:
    """Return the place of a finding, the same for all items of a list."""
    tokens = ("*" if token.isdigit() else token for token in path.split("/"))
    return display_pointer("/".join(tokens))
