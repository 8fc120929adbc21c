"""Every widget there is: partitions of many records, checked anywhere, into one summary.

- `plan`: what is asked for, of which sources, in which partitions; everything here is a value
  that can be sent to another process or another machine;
- `inputs`: from names and addresses to sources and partitions, and from spans to lines;
- `auditing`: one partition → its tally and its findings; `routing` knows which lines need a
  second look, `records` what is to be said of these, `portion` keeps it, `rows` as lines;
- `tally`: counts that can be added up, and the summary they make; `places` counts mistakes;
- `collecting`: results of partitions, in order, into one summary and the files asked for;
- `running`: who does the partitions: this machine, or a cluster;
- `page`: the summary for people.
"""
