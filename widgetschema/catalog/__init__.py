"""Widget types and where they come from: the catalog, and folders of schemas."""
