"""Options and commands that other tools have, and what means the same here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

import click

from widgetschema.extensions import extension_synonyms
from widgetschema.platform.variables import PREFIX, VARIABLES
from widgetschema.removed import advice_on

# Ours, then those of ruff, ESLint, Prettier, pytest, mypy, check-jsonschema, ajv, phpstan and git.
_SYNONYMS: Final = {
    "--add-ignores": "--add-noqa --suppress-all --add-suppressions",
    "--allow-empty": "--no-error-on-unmatched-pattern --pass-with-no-files --pass-on-no-files",
    "--changed": "--since --diff-base --modified --staged --cached --affected --from-ref",
    "--color": "--no-color --no-colour --colour --colors",
    "--config": "--settings --config-file --configuration --rcfile -c",
    "--data-schema": "--schema --schemafile --schema-file -s",
    "--debug": "--verbose --verbosity --trace",
    "--diff": "--dry-run --fix-dry-run --check --preview --show-fixes",
    "--exit-zero": "--no-fail --never-fail --soft-fail --exit-0 --warn-only",
    "--fail-fast": "--bail --exitfirst --stop-on-first-error --maxfail -x",
    "--fetch": "--offline --online --refresh --frozen --no-network --download",
    "--fix": "--autofix --auto-fix --write --apply --in-place --repair -w",
    "--force-exclude": "--respect-excludes",
    "--format": "--reporter --reporters --report --output-type --error-format -f",
    "--ignore": "--disable --extend-ignore --skip --suppress-code --except --rule-off",
    "--jobs": "--workers --parallel --threads --concurrency --processes --numprocesses -j -n",
    "--max-findings": "--max-errors --max-problems --limit",
    "--no-baseline": "--ignore-baseline --without-baseline",
    "--no-config": "--isolated --no-config-lookup --no-eslintrc",
    "--no-formats": "--disable-formats --no-format --format-off",
    "--no-ignore-files": "--no-ignore --no-gitignore --no-respect-gitignore --all-files",
    "--output": "--output-file --out --outfile --report-file -o",
    "--quiet": "--silent --no-summary",
    "--schemas": "--schema-dir --schema-folder --schemas-dir --schema-path",
    "--select": "--enable --extend-select --only --rule --rules --include-code --code",
    "--show-config": "--print-config --show-settings --explain-config",
    "--show-skipped": "--show-ignored --list-skipped --list-ignored --show-files --list",
    "--statistics": "--stats --count --counts --summary",
    "--stdin-filename": "--stdin --stdin-filepath --stdin-file-path --stdin-display-name",
    "--strict-schema": "--strict --strict-mode",
    "--type": "--widget-type --widget --kind -t",
    "--watch": "--watch-mode --follow",
    "--write-baseline": "--generate-baseline --update-baseline --create-baseline --set-baseline",
}
# What to do in place of an option of `validate` that is none of ours by another name.
_ADVICE: Final = {
    "--fix writes safe fixes only.": "--no-unsafe-fixes --fix-type --safe",
    "All findings are reported, unless you pass --fail-fast.": "--all-errors --errors --all",
    "Folders are searched with the folders in them.": "--recursive -r -R",
    "Pass --format github.": "--github",
    "Pass --format gitlab.": "--gitlab",
    "Pass --format json.": "--json --json-output",
    "Pass --format junit.": "--junit --junitxml --junit-xml",
    "Pass --format markdown.": "--markdown",
    "Pass --format ndjson.": "--ndjson --json-lines",
    "Pass --format sarif.": "--sarif",
    "Results are not cached.": "--cache --cache-location --cache-dir --disable-cache",
    "Run: widgetschema --version": "--version -V",
    "Run: widgetschema explain CODE": "--explain --list-rules --list-codes",
    "Run: widgetschema init": "--init",
    "Run: widgetschema types": "--check-metaschema --list-types --types",
    "Set `exclude` in the configuration.": (
        "--exclude --extend-exclude --ignore-path --ignore-pattern --ignore-file --ignore-files "
        "--exclude-dir --exclude-pattern"
    ),
    "Set `ignores` in the configuration; --add-ignores writes entries.": (
        "--per-file-ignores --extend-per-file-ignores --inline-config"
    ),
    "Set `include` in the configuration, or name files.": "--include --extend-include --files",
    "Set `severities` in the configuration.": (
        "--severity --severities --level --error-level --min-severity --fail-on --fail-level "
        "--max-warnings --error-on-warning --warnings-as-errors --warnings --errors-only -W"
    ),
    "The suffix of a file says its format; for standard input, pass --stdin-filename.": (
        "--default-filetype --force-filetype --parser --language --ext --yaml"
    ),
    "To fail on what can be fixed, pass --diff in place of --fix.": (
        "--exit-non-zero-on-fix --exit-non-zero-on-format --fail-on-fix"
    ),
    "To update the baseline, pass --write-baseline.": "--prune-suppressions --prune",
    **{f"Run: widgetschema {name}": words for name, words in extension_synonyms().items()},
}
# Ours, then the words of ruff, ESLint, npm, cargo, git, ajv, check-jsonschema and people.
_COMMANDS: Final = {
    "--help": "help man usage",
    "--version": "version",
    "bundle": "export link dereference deref compile",
    "completion": "completions autocomplete",
    "config": "settings show-config configuration",
    "diff": "compare changes",
    "doctor": "info diagnose env debug",
    "explain": "rule rules describe why code codes",
    "init": "setup install configure",
    "login": "auth signin log-in",
    "logout": "signout log-out",
    "pull": "download fetch sync update get",
    "sample": "generate gen fake mock example examples samples",
    "status": "whoami token tokens",
    "types": "list ls schemas",
    "validate": "check lint verify test run",
    "validate --diff": "format fmt",
    "validate --fix": "fix autofix repair",
    **extension_synonyms(),
}


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    return {word: ours for ours, words in table.items() for word in words.split()}


_OPTION_OF: Final = _by_word(_SYNONYMS)
_ADVICE_OF: Final = _by_word(_ADVICE)
_COMMAND_OF: Final = _by_word(_COMMANDS)


def with_meaning(error: click.NoSuchOption) -> click.NoSuchOption:
    """Return the error with what means the same here, if there is something."""
    if error.ctx is None:
        return error
    name, command = error.option_name, error.ctx.command
    meant, advice = name.replace("_", "-"), None
    variable = meant.strip("-").replace("-", "_").upper()
    removed = advice_on("option", f"{command.name} {meant}")
    if removed is not None:
        advice = f"{removed.capitalize()}."
    elif isinstance(command, click.Group):
        validate = command.get_command(error.ctx, "validate")
        if validate is not None and _has(validate, meant):
            advice = f"Did you mean 'widgetschema validate {meant}'?"
    elif _has(command, _OPTION_OF.get(meant)):
        advice = f"Did you mean '{_OPTION_OF[meant]}'?"
    elif variable in VARIABLES:
        advice = f"Set {PREFIX}{variable}."
    elif command.name == "validate":
        advice = _ADVICE_OF.get(meant)
    if advice is None:
        return error
    return click.NoSuchOption(name, f"No such option '{name}'. {advice}", None, error.ctx)


def command_like(word: str) -> str | None:
    """Return the command, with options, that means the same as a word, or that a path needs."""
    if os.path.lexists(word) or any(map(word.__contains__, "/\\*.")):
        return "validate PATH"
    return _COMMAND_OF.get(word.lower())


def _has(command: click.Command, option: str | None) -> bool:
    return any(option in param.opts for param in command.params)
