"""Steps of a migration, by what they work on.

- `step`: the base class, and the state of a document while steps change it;
- `members`, `values`, `lists`, `python`: the kinds, each with its options, its faults, and the
  edits that it makes. `plan` lists them all.
"""
