"""Texts in other formats than JSON, to values and places: YAML, JSON5, JSONC.

Each format has one way in, `parse`, and gives what JSON gives: a value, and a `SourceText` that
knows where each JSON Pointer is, and what to write there. So nothing else knows formats. `toml` is
that of configuration files and UI descriptions, which are read alone.
"""
