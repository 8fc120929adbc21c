"""Files → results: finds the files, reads them, checks each document, places what is found.

Nothing here prints, and nothing knows how results are shown. `results` has the values,
`inputs` the way from paths to texts, `checker` what is checked against what, `placing` the
way back to lines and columns, `judging` what of it counts.
"""
