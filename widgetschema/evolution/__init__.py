"""What a schema change means: comparison of two schemas, and whom it breaks."""
