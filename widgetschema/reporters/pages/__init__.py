"""Pages for people: one HTML file each, which loads nothing else. They need Jinja2, an extra."""
