"""Find and read the files that a command names."""
