"""Migration: data of one schema is carried over to another, without losing a byte.

- `steps`: what a step can do, one module for each kind;
- `plan`: plan files;
- `migration`: one document, from one schema to the other, and what became of it;
- `evidence`: the same of many records, counted;
- `chain`: migrations one after the other, for data of any earlier version.
"""

from widgetschema.lazy import attach

__getattr__, __dir__ = attach(__name__)
