"""Requests and answers: the operations, how often they are tried, and what is made of them.

`operations` and `retrying` know no I/O: they are generators that say what to send, and are sent
what came; `transport` sends it, and reads one bounded, decoded answer; `answers` makes values or
errors of it, and `redaction` keeps secrets out of those.
"""
