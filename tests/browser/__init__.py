"""Forms mounted in a real browser: libraries from npm, bundled once."""
