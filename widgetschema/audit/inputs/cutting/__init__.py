"""Cut JSON texts into the texts of their records, in constant memory, without loss or guesses.

A source is an array of records, records one after the other (indented or not), a sequence of texts
(RFC 7464), or the platform's list and other responses, which have such an array in an object.

- `cuts`: the results;
- `window`: the part that was read but not yet cut;
- `values`: finds the end of a value by its strings and brackets;
- `alike`: cuts many records at once if they begin and end alike;
- `arrays`: cuts the items of an array, and an object around it;
- `sequences`: cuts texts that follow separators;
- `cutter`: cuts texts one after the other, and chooses among these modules.
"""
