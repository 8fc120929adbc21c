"""The client of the platform: its operations, retries, transports, and redaction of secrets.

`operations` and `retrying` do no I/O: they are generators that yield what to send and receive what
came back, one core for threads and tasks. `client` drives them, `transport` reads one bounded,
decoded response, `messages` turns it into values or errors, and `redaction` keeps secrets out of
those.
"""
