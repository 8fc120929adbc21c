"""Files → results: each document is checked, its findings are located, and triage decides.

Nothing here prints, and nothing knows how results are shown. `runner` turns files into
results, `checker` checks documents against their types, `locations` has lines and columns, `triage`
decides what counts, `baseline` has the known findings, and `results` the values that all of them
share.
"""
