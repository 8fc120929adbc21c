"""The command `widgetschema`. `main` is its entry point; each command has a file of its own."""

from widgetschema.cli.main import main as main
