"""Audits: partitions of many records, checked anywhere, and one summary of them all.

- `inputs`: from names and addresses to blocks of lines and rows;
- `plan`: what is asked for, of which sources, in which partitions;
- `auditor`: one partition → its counts and its findings; `line_filter` accepts most lines at
  once, `records` checks the others, `table_rows` does both for the rows of tables,
  `partition_result` counts and writes lines;
- `audit_function`: an audit from Python, and what it returns;
- `rows`: records that an application has at hand; `arrow`: columns that an engine holds;
- `tally`: counts that can be added up, of findings by what they have in common; `record_groups`
  counts records by what they have;
- `summary`: the summary that they make, its exit code and the gate for that;
- `comparison`: what changed since earlier summaries;
- `sampling`: which records are in a sample, and what it says of all;
- `collector`: results of partitions, in order, into one summary and the files asked for;
- `runners`: this machine, or a cluster; `checkpoints`: results that outlive the process;
- `page`: the summary for people.
"""

from widgetschema.lazy import attach

__getattr__, __dir__ = attach(__name__)
