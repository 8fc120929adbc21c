"""The same checks for assistants: a server of the Model Context Protocol (`widgetschema mcp`)."""
