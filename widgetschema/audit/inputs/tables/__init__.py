"""Tables as sources of records: a row has the JSON text of its data, its type and its id.

- `model`: which columns are read, and rows as blocks;
- `files`: tables in files: Parquet, Arrow IPC, CSV.
"""
