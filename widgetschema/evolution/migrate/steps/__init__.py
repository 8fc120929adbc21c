"""Steps of a migration: one module for each kind, and the registry of all of them.

- `step`: the base class, and the state of a document while steps change it;
- `registry`: all kinds by their names;
- one module for each kind, with its options, its JSON Schema, and the edits that it makes.
"""
