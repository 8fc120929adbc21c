"""The steps between the options of a command and its exit code; each returns the next value."""
