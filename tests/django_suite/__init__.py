"""Tests of the Django integration: one process, since Django has one configuration.

`tests/thorough/test_django.py` runs them in a process of their own.
"""
