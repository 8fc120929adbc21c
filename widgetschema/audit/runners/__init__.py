"""Runners: they carry out the partitions of an audit.

- `local`: processes of this machine, `team`: those that are started for it;
- `cluster`: the workers of a Dask cluster, `connection`: a connection to one that can be used,
  `portable_plan`: a plan that needs nothing of this machine.
"""
