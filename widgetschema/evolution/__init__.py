"""Schema changes: comparison of two schemas, and whom a change breaks."""
