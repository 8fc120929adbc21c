"""Cut JSON texts into the texts of their records, in constant memory, without loss or guesses.

A source is an array of records, records one after the other (indented or not), a sequence of texts
(RFC 7464), or the platform's list, an object that has such an array.

- `window`: the results, and the part that was read but not yet cut;
- `values`: finds the end of a value by its strings and brackets;
- `alike`: cuts many records at once if they begin and end alike;
- `arrays`: cuts the items of an array, and an object around it;
- `cutter`: cuts texts one after the other, and sequences; chooses how a source is cut.
"""
