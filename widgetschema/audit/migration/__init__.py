"""Migrations in bulk: audits whose records are changed on the way.

- `records`: what becomes of the records in a text, for an `Auditor`;
- `edits`: changes of sources, which travel with the results of partitions;
- `file_rewriting`: the new content of one file, from the old one and its edits;
- `rewriter`: the files of a plan written anew, in order, or only shown;
- `undo`: the file that brings back what was there before.
"""
