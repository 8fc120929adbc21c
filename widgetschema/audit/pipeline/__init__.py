"""The steps of the commands: audits, and migrations in bulk."""
