"""The language server: the checks, while somebody types, in any editor.

`documents` has the texts as the editor has them, `projects` the configuration and the schemas of
each file. The features are plain functions of both: `checks`, `places`, `completion`, `hover`,
`definition`, `actions`. `server` alone knows the protocol, and nothing else does I/O with a client.
"""
