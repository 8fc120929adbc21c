"""From what came back to a text with exactly the edits that were made.

`acting` does what a button asks for, `outcomes` folds fields into what is put into the text, with
`encoding` (typed text to JSON) and `joining` (members and rows); `submission` puts it together.
"""
