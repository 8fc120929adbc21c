"""The management commands of the Django app, a module each."""
