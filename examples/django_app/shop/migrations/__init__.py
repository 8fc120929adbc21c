"""Migrations: they name no schema, and none is needed when one changes."""
