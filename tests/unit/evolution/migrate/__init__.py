"""Migrations: drafts, steps, plans, and outcomes."""
