"""Read formats other than JSON: YAML, JSON5 and JSONC.

`parse` returns the same for every format as for JSON: a value, and a `SourceText` that locates JSON
Pointers and writes tokens. So no other package knows formats. `toml` is separate: it reads
configuration files and UI descriptions.
"""
