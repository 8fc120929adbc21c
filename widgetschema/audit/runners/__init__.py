"""Runners carry out the partitions of an audit.

- `local`: processes of this machine;
- `cluster`: the workers of a Dask cluster.
"""
