"""Schemas: the meta-schema, linking of references, and the schema tree."""
