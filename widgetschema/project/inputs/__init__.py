"""The input of `validate` and `audit`: from names and addresses to the texts of documents.

- `model`: the values, from files to sources to texts, and what a new kind of source has to yield;
- `discovery`: the files that names, folders and globs stand for; `addresses`: object storage;
- `formats`: what a name and first bytes say; `streams`: bytes, decompressed;
- `sources`: how a file is to be read; `reading`: its texts, or blocks of lines.
"""
