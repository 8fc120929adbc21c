"""Documents as an editor opens them, with the cursor at `|`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from widgetschema.catalog.catalog import Catalog, project_sources
from widgetschema.lsp.documents import Document
from widgetschema.lsp.projects import Project, Projects
from widgetschema.project.config import Configuration

FILES = "[files]\n" + "".join(
    f'"*.{suffix}" = "{{0}}"\n' for suffix in ("json", "jsonc", "json5", "yaml", "ndjson")
)


def at_cursor(text: str, path: Path | None = None, language: str = "json") -> tuple[Document, int]:
    """A document, and the offset of the cursor in it."""
    before, _, after = text.partition("|")
    name = None if path is None else str(path)
    uri = "untitled:1" if path is None else path.as_uri()
    return Document(uri, name, 1, before + after, language=language), len(before)


def create(configuration: Configuration) -> Catalog:
    """The catalog of a configuration, as the command makes it."""
    is_found = configuration.schemas is None
    return Catalog(project_sources(configuration.schema_folders, is_found=is_found))


def project_in(folder: Path, type_id: str | None = "countdown", more: str = "") -> Project:
    """The project of a folder, whose JSON files have a type."""
    text = "" if type_id is None else FILES.format(type_id)
    (folder / "widgetschema.toml").write_text(f"{more}\n{text}")
    return Projects(create, {}).of_folder(str(folder))


def project_of(folder: Path, data_schema: Any, more: str = "") -> Project:
    """The project of a folder whose JSON files have data with this schema."""
    (folder / "schemas").mkdir(parents=True)
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"data": data_schema},
        "definitions": data_schema.get("definitions", {}),
    }
    (folder / "schemas" / "thing.json").write_text(json.dumps(schema))
    return project_in(folder, "thing", more)
