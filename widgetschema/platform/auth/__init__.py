"""Tokens: obtained (`login`, `callback`), kept (`token_file`, `storage`), renewed (`renewal`).

`auth` is what a client uses; `renewal` says what is to be done, step by step, without I/O.
"""
