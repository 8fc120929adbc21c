"""The input of `validate` and `audit`: from names and addresses to the texts of documents.

- `model`: files and texts; `sources`: what is read in parts, and what a new kind must yield;
- `discovery`: the files that names, folders and globs stand for; `folders`: folders, by what git
  lists or `gitignore` leaves; `project_files`: those of a project; `addresses`: object storage;
- `formats`: what a name and first bytes say; `inspection`: how a file is to be read;
- `streams`: bytes, decompressed; `reading`: blocks of lines, or texts; `texts`: small files.
"""
