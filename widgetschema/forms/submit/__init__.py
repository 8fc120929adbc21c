"""Submit: from posted controls to a text with exactly the edits that were made.

`pipeline` puts the steps together: `buttons` changes the controls as the pressed button asks,
`edit_plan` folds fields into edits of the text, with `encoding` for typed text. `stale_controls`
translates the controls of a form of older data.
"""
