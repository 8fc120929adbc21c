"""Runners: they carry out the partitions of an audit.

- `local`: processes of this machine;
- `cluster`: the workers of a Dask cluster, `portable_plan`: a plan that needs nothing of this
  machine.
"""
