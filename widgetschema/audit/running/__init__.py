"""Who does the partitions of an audit.

- `local`: processes of this machine, `team`: those that are started for it;
- `cluster`: the workers of a Dask cluster, `connecting`: to one that can be used, `settled`: a plan
  that needs nothing of this machine;
- `checkpoints`: results that outlive the process.
"""
