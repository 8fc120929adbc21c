"""Every widget there is: partitions of many records, checked anywhere, into one summary.

- `plan`: what is asked for, of which sources, in which partitions; everything here is a value
  that can be sent to another process or another machine;
- `sources`: from names, globs, folders and addresses to sources and partitions; `addresses` asks
  `fsspec` what is not on this machine;
- `reading`: one span of a source as blocks of lines, whatever is in it; `packing` unpacks it;
- `auditing`: one partition → its tally and its findings; `routing` knows which lines need a
  second look, `records` what is to be said of these, `portion` keeps it, `rows` as lines;
- `tally`: counts that can be added up, and the summary they make; `places` counts mistakes;
- `collecting`: results of partitions, in any order, into one summary and the files asked for;
- `checkpoints`: results that outlive the process;
- `local`: the partitions by processes of this machine, a `team` of them; `cluster`: by Dask,
  whose workers `connecting` looks at, and for whom `settled` makes a plan that can travel;
- `report`: the summary as a page for people; `views` is what it shows, `charts` the geometry,
  `wording` the sentences, `drawing` draws it with the `templates`.
"""
