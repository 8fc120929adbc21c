"""The formats of reports: a file for each, named as the format is."""
