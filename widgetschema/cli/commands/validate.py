"""`widgetschema validate`: check files, folders, globs and standard input."""

from __future__ import annotations

from widgetschema.cli.pipeline.validate_options import ValidateOptions


@ValidateOptions.command("validate")
def command(options: ValidateOptions) -> int:
    """Validate widget data against the schema of its type.

    PATH is a file (.json, .yaml, .json5 or .jsonc; .ndjson or .jsonl, one value per line; any of
    them compressed with gzip or zstd), a folder, a glob, or - for standard input. Without PATH, the
    folder of the configuration is checked, or this one. In folders, files are skipped that git
    ignores, or that neither name their type nor are mapped to one by the configuration.

    A file may contain widget data, a widget document, an array of either, or an envelope of the
    widgets list. Its type is --type or --data-schema, else the one that the document names (type,
    or $schema), else the one that the configuration gives the file.
    """
    from widgetschema.cli.pipeline.validation import validate

    if options.show_config is None:
        return validate(options)
    from widgetschema.cli.commands.config import show_settings

    configurations, file = options.configurations(), options.show_config
    return show_settings(configurations, file, "text", no_config=options.no_config)
