"""Options that other tools have, by the name of ours that means the same."""

from __future__ import annotations

from typing import Final

import click

# Ours, then those of ruff, ESLint, Prettier, pytest, mypy, check-jsonschema, ajv, phpstan and git.
_SYNONYMS: Final = {
    "--add-ignores": "--add-noqa --suppress-all --add-suppressions",
    "--allow-empty": "--no-error-on-unmatched-pattern --pass-with-no-files --pass-on-no-files",
    "--changed": "--since --diff-base --modified --staged --cached --affected",
    "--color": "--no-color --no-colour --colour --colors",
    "--config": "--settings --config-file --configuration --rcfile -c",
    "--data-schema": "--schema --schemafile --schema-file -s",
    "--debug": "--verbose --trace",
    "--diff": "--dry-run --fix-dry-run --check --preview --show-fixes",
    "--exit-zero": "--no-fail --never-fail --soft-fail --exit-0 --warn-only",
    "--fail-fast": "--bail --exitfirst --stop-on-first-error --maxfail -x",
    "--fetch": "--offline --online --refresh --frozen --no-network --download",
    "--fix": "--autofix --auto-fix --write --apply --in-place --repair -w",
    "--force-exclude": "--respect-excludes",
    "--format": "--reporter --reporters --report --output-type --error-format -f",
    "--ignore": "--disable --extend-ignore --skip --suppress-code --except --rule-off",
    "--jobs": "--workers --parallel --threads --concurrency --processes --numprocesses -j -n",
    "--max-findings": "--max-errors --max-problems --max-warnings --limit",
    "--no-baseline": "--ignore-baseline --without-baseline",
    "--no-cache": "--cache-off --disable-cache --no-caching",
    "--no-config": "--isolated --no-config-lookup --no-eslintrc",
    "--no-formats": "--disable-formats --no-format --format-off",
    "--no-ignore-files": "--no-ignore --no-gitignore --no-respect-gitignore --all-files",
    "--output": "--output-file --out --outfile --report-file -o",
    "--quiet": "--silent --no-summary",
    "--schemas": "--schema-dir --schema-folder --schemas-dir --schema-path",
    "--select": "--enable --extend-select --only --rule --rules --include-code --code",
    "--show-config": "--print-config --show-settings --explain-config",
    "--show-skipped": "--show-ignored --list-skipped --list-ignored --show-files",
    "--statistics": "--stats --count --counts --summary",
    "--stdin-filename": "--stdin --stdin-filepath --stdin-file-path --stdin-display-name",
    "--strict-schema": "--strict --strict-mode",
    "--type": "--widget-type --widget --kind -t",
    "--watch": "--watch-mode --follow",
    "--write-baseline": "--generate-baseline --update-baseline --create-baseline --set-baseline",
}
_OPTION_OF: Final = {word: ours for ours, words in _SYNONYMS.items() for word in words.split()}


def with_meaning(error: click.NoSuchOption) -> click.NoSuchOption:
    """Return the error with the option of the command that means the same, if there is one."""
    meant = _OPTION_OF.get(error.option_name.replace("_", "-"))
    if meant is None or error.ctx is None:
        return error
    if not any(meant in param.opts for param in error.ctx.command.params):
        return error
    name = error.option_name
    return click.NoSuchOption(
        name, f"No such option '{name}'. Did you mean '{meant}'?", None, error.ctx
    )
