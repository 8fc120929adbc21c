"""Tests of the Django integration: one process, since Django has one configuration.

`tests/processes/test_django.py` runs them in a process of their own.
"""
