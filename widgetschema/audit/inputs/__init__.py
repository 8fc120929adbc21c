"""What an audit reads: from names and addresses to partitions, and from spans to lines.

- `sources`: from names, globs, folders and addresses to sources and partitions;
- `reading`: one span of a source as blocks of lines, whatever is in it;
- `packing`: what is packed, and what only looks like text; `addresses`: object storage;
- `standard_input`: what comes only once.
"""
