"""The terminal: output, progress, and signals."""
