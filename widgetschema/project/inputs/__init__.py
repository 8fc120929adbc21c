"""The input of `validate` and `audit`: from names and addresses to sources, from sources to texts.

- `discovery`: the files that names, folders and globs stand for; `addresses`: object storage;
- `reading`: the lines and texts of a source; `compression`: what its first bytes say it is;
- `standard_input`: a source that comes only once; `sources`: the values of all these.
"""
