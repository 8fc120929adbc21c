"""Integrations with web frameworks and libraries of models, one module or package each."""
