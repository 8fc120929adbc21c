"""Explain why an instance is invalid: findings, messages, hints and fixes."""
