"""What `widgetschema doctor` looks at: each section finds its own facts, and its own troubles.

`facts` says what a fact is, and gathers those of a section, whatever happens to it. The sections:
`installation` (versions, engines, extras), `project` (configuration, schemas, files), `access`
(tokens, network). Nothing is imported here: what is to be examined may be missing.
"""
