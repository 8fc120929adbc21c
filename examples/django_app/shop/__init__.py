"""Pages and their widgets."""
