"""The input of audits: from names and addresses to blocks of lines and rows.

- `sources`: what is read in parts, and what a new kind must yield;
- `inspection`: what names, folders, globs and addresses stand for, and how each file is read;
  `addresses`: object storage; `other_texts`: what is certainly no JSON;
- `opening`: a source as a stream; `reading`: its blocks; `cutting`: those of texts that are not
  lines; `tables`, `arrow_texts`: those of rows.
"""
