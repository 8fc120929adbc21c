"""The management commands of the Django app."""
