"""Tokens: obtained by `login`, stored by `storage` and `token_file`, renewed by `renewal`.

`auth` has the `TokenAuth` that a client uses; `renewal` decides each step without I/O.
"""
