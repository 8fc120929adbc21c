"""Single values: what they look like. Nothing here knows schemas, steps or choosers.

- `realism`: by the names around a value, with the rules of `kinds`, in the words of `locales`;
- `formats`: the formats of draft-07, and mistakes that people make with them;
- `regular`: texts that match a pattern, which `expressions` has taken apart into `characters`;
- `automata`: texts that match several patterns, among them those of formats (`grammars`).
"""

from collections.abc import Callable

RandBelow = Callable[[int], int]  # of n: a number in range(n), n >= 1; 0 is the simplest choice
Text = Callable[[RandBelow], str]
