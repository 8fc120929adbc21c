"""The input of a check: from names to the texts of documents.

- `model`: files and texts;
- `discovery`: the files that names, folders and globs stand for; `folders`: folders, by what git
  lists or `gitignore` leaves; `project_files`: those of a project;
- `formats`: what a name and first bytes say, also about how texts are separated;
- `texts`: those of small files; `streams`: those of all others.
"""
