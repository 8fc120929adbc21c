"""Records what an old commit and this tree do side by side, and compares: `python -m tests.recorder OLD`.

Some 2,000 runs of commands and functions, of which the outputs, the exit codes and the written
files are compared: `runs.py` lists them, `side.py` does them, `accepted.toml` has the differences
that are meant.
"""
