"""JSON texts in constant memory, cut into the texts of their records: nothing is lost or guessed.

A source is an array of records, records one behind the other (indented or not), a sequence of texts
(RFC 7464), or the platform's list and other responses, which have such an array in an object.

- `cuts`: the values that come out of it;
- `window`: the part that was read and is not cut yet;
- `values`: the end of one value, by its strings and brackets;
- `alike`: records that end and begin alike, of which many are cut at once;
- `arrays`: the items of an array, and an object around it;
- `sequences`: texts behind separators;
- `cutter`: texts one behind the other; it chooses among these.
"""
