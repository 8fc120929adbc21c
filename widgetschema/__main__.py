"""`python -m widgetschema`: the command."""

import sys

from widgetschema.cli import main

if __name__ == "__main__":
    sys.exit(main())
