"""An app with all kinds of fields for widget data."""
