"""The summary of an audit as a page for people.

- `report`: the whole of it; `views`: what is on it, `wording`: in which words, `charts`: the
  geometry of its pictures; `markup` and `templates`: all that is HTML.
"""
