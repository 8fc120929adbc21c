"""The command `widgetschema`. `main` is its entry point; each command has a file of its own."""

import sys

try:
    from widgetschema.cli.main import main as main
except KeyboardInterrupt:  # as `main` answers it: nothing else is there yet
    if sys.stderr is not None:
        sys.stderr.write("widgetschema: interrupted\n")
    sys.exit(130)
