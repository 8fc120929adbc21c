"""Tests with servers that have to be installed: `python -m tests.services`.

That starts a PostgreSQL of its own, sets `PGHOST` and `PGUSER`, and runs pytest with these tests. Without
`PGHOST`, none of them is collected.
"""
