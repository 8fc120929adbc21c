"""Summaries of audits and of migrations in bulk as text."""
