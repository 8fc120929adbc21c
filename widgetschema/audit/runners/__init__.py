"""Runners: they carry out the partitions of an audit.

- `local`: processes of this machine;
- `cluster`: the workers of a Dask cluster, `connection`: a connection to one that can be used,
  `portable_plan`: a plan that needs nothing of this machine.
"""
