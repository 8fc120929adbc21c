"""Random schemas, random texts, and what the fast path says of them.

Whenever a fast path accepts a text, it must be readable and valid. `python -m tests.soundness --cases N`
tries N texts; `tests/unit/audit/test_fast_path.py` some thousands.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from widgetschema import ReferenceLoop, UnreadableDocument, Validator
from widgetschema.audit.fast_path import build_fast_path
from widgetschema.jsontext import Limits, read

NAMES = ["a", "b", "c", "type", "a b", "é", "x-1", "a.b", "", "😀", 'q"', "b\\", "\x7f", "~/"]
TEXTS = ["", "a", "b", "abc", "a:b", "é", "😀", "1", "2026-11-03", 'say "a"', "a\\b", "\t", "\x7f", "\u2028"]  # fmt: skip
NUMBERS = [0, 1, -1, 2, 5, 1.5, -0.5, 0.1, 0.3, 2**53, 2**53 + 1, 2**63, -(2**63), 2**64 - 1, 1e22, 1e-7, 1e300, 5e-324, 1.7976931348623157e308]  # fmt: skip
PATTERNS = ["^a", "b$", "^[a-c]*$", r"^\d", "é"]
Rnd = random.Random


def schema_of(rnd: Rnd, depth: int = 3) -> Any:
    """A schema, mostly one that can be expressed."""
    if rnd.random() < 0.04:
        return rnd.choice([True, {}, {"title": "any"}, {"$ref": "#/definitions/x"}])
    makers = [_string, _number, _boolean, _values]
    if depth > 0:
        makers += [_object, _object, _object, _object, _array, _array, _several, _several]
        makers += [_tagged, _looking]
    return rnd.choice(makers)(rnd, depth)


def _some(rnd: Rnd, likely: float, options: dict[str, Callable[[], Any]]) -> dict[str, Any]:
    return {name: make() for name, make in options.items() if rnd.random() < likely}


def _string(rnd: Rnd, depth: int) -> Any:
    return {
        "type": rnd.choice(["string", "string", ["string", "null"]]),
        **_some(
            rnd,
            0.15,
            {
                "minLength": lambda: rnd.randint(0, 3),
                "maxLength": lambda: rnd.randint(0, 5),
                "pattern": lambda: rnd.choice(PATTERNS),
                "format": lambda: rnd.choice(["date", "uri", "ipv4", "unheard-of"]),
            },
        ),
    }


def _number(rnd: Rnd, depth: int) -> Any:
    return {
        "type": rnd.choice(["number", "integer", ["integer", "boolean"]]),
        **_some(
            rnd,
            0.15,
            {
                "minimum": lambda: rnd.choice(NUMBERS),
                "maximum": lambda: rnd.choice(NUMBERS),
                "exclusiveMinimum": lambda: rnd.choice(NUMBERS),
                "exclusiveMaximum": lambda: rnd.choice(NUMBERS),
                "multipleOf": lambda: rnd.choice([1, 2, 0.5, 0.1]),
            },
        ),
    }


def _boolean(rnd: Rnd, depth: int) -> Any:
    return {"type": rnd.choice(["boolean", "null"])}


def _values(rnd: Rnd, depth: int) -> Any:
    pool: list[Any] = [*TEXTS, *NUMBERS, True, False, None, [], {"a": 1}]
    if rnd.random() < 0.2:
        return {"const": rnd.choice(pool)}
    made: dict[str, Any] = {"enum": rnd.sample(TEXTS if rnd.random() < 0.5 else pool, 4)}
    return {**made, **_some(rnd, 0.2, {"type": lambda: rnd.choice(["string", "number"])})}


def _object(rnd: Rnd, depth: int) -> Any:
    names = rnd.sample(NAMES, rnd.randint(0, 5))
    made: dict[str, Any] = {"properties": {name: schema_of(rnd, depth - 1) for name in names}}
    if rnd.random() < 0.9:
        made["type"] = "object"
    if rnd.random() < 0.6:
        made["additionalProperties"] = False
    elif rnd.random() < 0.3:
        made["additionalProperties"] = schema_of(rnd, depth - 1)
    if rnd.random() < 0.3:
        made["required"] = rnd.sample(names or NAMES, 1)
    return {
        **made,
        **_some(
            rnd,
            0.06,
            {
                "patternProperties": lambda: {rnd.choice(PATTERNS): schema_of(rnd, depth - 1)},
                "propertyNames": lambda: {"maxLength": 2},
                "minProperties": lambda: rnd.randint(0, 2),
                "maxProperties": lambda: rnd.randint(0, 4),
                "dependencies": lambda: {"a": rnd.choice([["b"], schema_of(rnd, 0)])},
            },
        ),
    }


def _array(rnd: Rnd, depth: int) -> Any:
    made: dict[str, Any] = {"type": "array", "items": schema_of(rnd, depth - 1)}
    if rnd.random() < 0.2:
        pair = [schema_of(rnd, depth - 1), schema_of(rnd, 0)]
        made["items"] = rnd.choice([False, pair[:1], pair, pair])
        made |= _some(rnd, 0.5, {"additionalItems": lambda: rnd.choice([False, False, {}])})
    return {
        **made,
        **_some(
            rnd,
            0.1,
            {
                "minItems": lambda: rnd.randint(0, 2),
                "maxItems": lambda: rnd.randint(0, 3),
                "uniqueItems": lambda: rnd.random() < 0.7,
                "contains": lambda: schema_of(rnd, 0),
            },
        ),
    }


def _several(rnd: Rnd, depth: int) -> Any:
    keyword = rnd.choice(["anyOf", "anyOf", "oneOf", "oneOf", "allOf", "not", "if"])
    if keyword == "not":
        return {"not": schema_of(rnd, 0)}
    if keyword == "if":
        return {"if": schema_of(rnd, 0), "then": schema_of(rnd, depth - 1)}
    return {keyword: [schema_of(rnd, depth - 1) for _ in range(rnd.randint(1, 3))]}


def _tagged(rnd: Rnd, depth: int) -> Any:
    """Objects that a member tells apart; now and then not quite."""
    name, branches = rnd.choice(["type", "a"]), []
    for text in rnd.sample(TEXTS, rnd.randint(1, 3)):
        one = _object(rnd, depth - 1)
        tag: Any = {"const": text} if rnd.random() < 0.7 else {"enum": [text, rnd.choice(TEXTS)]}
        if rnd.random() < 0.1:
            tag |= {"maxLength": 1}
        one["properties"] = {name: tag, **one["properties"]}
        one["properties"][name] = tag
        one["required"] = [name] if rnd.random() < 0.9 else []
        branches.append(one)
    made = {rnd.choice(["oneOf", "oneOf", "anyOf"]): branches}
    return made if rnd.random() < 0.8 else {**_looking(rnd, 1), **made}


def _looking(rnd: Rnd, depth: int) -> Any:
    """An object of which something looks at some members."""

    def look() -> Any:
        name = rnd.choice(names)
        wanted = {"properties": {name: rnd.choice([{"const": rnd.choice(TEXTS)}, _number(rnd, 0)])}}
        found = rnd.choice([wanted, wanted, {"required": [name]}, {**wanted, "required": [name]}])
        return found if rnd.random() < 0.95 else {"maxProperties": 2}

    made = _object(rnd, depth - 1)
    names = [*made["properties"], *rnd.sample(NAMES, 2)]
    for keyword in rnd.sample(["if", "not", "anyOf", "oneOf", "allOf", "dependencies"], 2):
        if keyword == "if":
            made |= {"if": look(), "then": look(), "else": look()}
        elif keyword == "not":
            made["not"] = look()
        elif keyword == "dependencies":
            made[keyword] = {rnd.choice(names): rnd.choice([look(), rnd.sample(names, 1)])}
        else:
            made[keyword] = [look(), look()]
    return made


def whole_schema(rnd: Rnd) -> Any:
    """A schema with something to refer to, now and then itself."""
    made = schema_of(rnd)
    if type(made) is not dict:
        return made
    again: Any = rnd.choice([{"$ref": "#"}, {"type": "array", "items": {"$ref": "#"}}])
    inner = schema_of(rnd, 1) if rnd.random() < 0.7 else {"properties": {"a": again}}
    if rnd.random() < 0.15 and "properties" in made:
        made["properties"][rnd.choice(NAMES)] = again
    return {**made, "definitions": {"x": inner}}


def instance_of(rnd: Rnd, schema: Any, root: Any, depth: int = 5) -> Any:
    """A value that has a good chance to be valid."""
    if type(schema) is not dict or depth == 0 or rnd.random() < 0.02:
        return _anything(rnd, 2)
    if "$ref" in schema:
        target = root if schema["$ref"] == "#" else root.get("definitions", {}).get("x", True)
        return instance_of(rnd, target, root, depth - 1)
    for keyword in ("enum", "anyOf", "oneOf"):
        if keyword in schema:
            one = rnd.choice(schema[keyword])
            if keyword == "enum":
                return one
            if "properties" in schema:  # both say something of members
                rest = {word: schema[word] for word in schema if word != keyword}
                parts = [instance_of(rnd, part, root, depth) for part in (one, rest)]
                if all(type(part) is dict for part in parts):
                    return {**parts[1], **parts[0]}
            return instance_of(rnd, one, root, depth)
    if "const" in schema:
        return schema["const"]
    if "allOf" in schema and "properties" not in schema:
        parts = [instance_of(rnd, part, root, depth) for part in schema["allOf"]]
        if all(type(part) is dict for part in parts):
            return {name: value for part in parts for name, value in part.items()}
        return parts[0]
    kind = schema.get("type", "object" if "properties" in schema else "any")
    kind = kind if type(kind) is str else rnd.choice(kind)
    if kind == "object":
        return _members(rnd, schema, root, depth)
    if kind == "array":
        items = schema.get("items", True)
        if type(items) is list:
            return [instance_of(rnd, item, root, depth - 1) for item in items]
        return [instance_of(rnd, items, root, depth - 1) for _ in range(rnd.randint(0, 3))]
    if kind == "string":
        return rnd.choice(TEXTS)
    if kind == "number":
        return rnd.choice(NUMBERS)
    if kind == "integer":
        return rnd.choice([one for one in NUMBERS if type(one) is int])
    return {"boolean": rnd.random() < 0.5, "null": None}.get(kind, _anything(rnd, 2))


def _members(rnd: Rnd, schema: Any, root: Any, depth: int) -> Any:
    named, required = schema.get("properties", {}), schema.get("required", ())
    made = {
        name: instance_of(rnd, one, root, depth - 1)
        for name, one in named.items()
        if name in required or rnd.random() < 0.6
    }
    for name in required:
        made.setdefault(name, _anything(rnd, 1))
    if schema.get("additionalProperties") is not False and rnd.random() < 0.4:
        other = schema.get("additionalProperties", True)
        made.setdefault(rnd.choice(NAMES), instance_of(rnd, other, root, depth - 1))
    if rnd.random() < 0.1:
        made = dict(rnd.sample([*made.items()], len(made)))
    return made


def _anything(rnd: Rnd, depth: int) -> Any:
    if depth and rnd.random() < 0.3:
        items = [_anything(rnd, depth - 1) for _ in range(rnd.randint(0, 3))]
        return items if rnd.random() < 0.5 else dict(zip(rnd.sample(NAMES, 3), items, strict=False))
    return rnd.choice([rnd.choice(TEXTS), rnd.choice(NUMBERS), True, False, None])


ODD_NUMBERS = [b"1.0", b"1e0", b"1E+0", b"-0", b"-0.0", b"0.0", b"1e400", b"-1E400", b"1e-400", b"01", b"+1", b".5", b"1.", b"NaN", b"Infinity", b"-Infinity", b"1" * 20, b"-" + b"9" * 19, b"18446744073709551616", b"9" * 400, b"9" * 4301, b"1.00", b"10e-1", b"0x1", b"1_0", b"0.1000000000000000055511151231257827", b"1e", b"-", b"9007199254740993.0"]  # fmt: skip
ODD_TEXTS = [b'"\\u0061"', b'"\\u003a"', b'"\\u003A"', b'"\\ud800"', b'"\\udc00\\ud800"', b'"\\ud83d\\ude00"', b'"\\/"', b'"\\x41"', b'"\t"', b'"\x00"', b'"\xff"', b'"\xc0\x80"', b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"', b'"\xe9"', b'"\\u00e9"', b'"a', b"'a'", b'"\\"', b'"\\u12"', b'"\\u0000"', b'"\x7f"', b'"\xef\xbb\xbf"', b'"\\t"', b'"\\u0009"', b'"\\b\\f\\n\\r"']  # fmt: skip
ODD_PLACES = [b" ", b"\n", b"\t", b"\r", b"\x0b", b"\xa0", b"//x\n", b"/**/", b",", b":", b"\xef\xbb\xbf", b"\x00", b"#"]  # fmt: skip


class Speller:
    """Writes values as JSON, or nearly so; `odd` is how likely each token is not as it should."""

    def __init__(self, rnd: Rnd, odd: float) -> None:
        self.rnd = rnd
        self.odd = odd
        self.comma, self.colon = rnd.choice([(b",", b":"), (b", ", b": "), (b",\n ", b" :\t")])

    def text(self, value: Any) -> bytes:
        """The text of a value, in one style but for what is odd."""
        odd = self.rnd.random() < self.odd
        if type(value) is dict:
            members = [self.member(name, item) for name, item in value.items()]
            if odd and members:
                name = self.rnd.choice([*value])
                again = value[name] if self.rnd.random() < 0.5 else self.rnd.choice(TEXTS)
                members.insert(self.rnd.randint(0, len(members)), self.member(name, again))
            return b"{" + self.comma.join(members) + (b",}" if self.rare() else b"}")
        if type(value) is list:
            return b"[" + self.comma.join(map(self.text, value)) + (b",]" if self.rare() else b"]")
        if odd:
            return self.rnd.choice(ODD_TEXTS if type(value) is str else ODD_NUMBERS) + self.space()
        return self.plain(value)

    def plain(self, value: Any) -> bytes:
        text = json.dumps(value, ensure_ascii=self.rare())
        return text.encode(errors="replace") + self.space()

    def member(self, name: str, item: Any) -> bytes:
        key = self.plain(name)
        if self.rare() and name:
            key = b'"\\u%04x' % ord(name[0]) + key[2:] if ord(name[0]) < 128 else key
        return key + self.colon + self.space() + self.text(item)

    def rare(self) -> bool:
        return self.rnd.random() < self.odd / 4

    def space(self) -> bytes:
        return self.rnd.choice(ODD_PLACES) if self.rare() else b""


def respelled(rnd: Rnd, value: Any) -> bytes:
    """A text as a program may write it: spaced, indented, escaped, shuffled, like JavaScript."""
    text = json.dumps(
        shuffled(rnd, value) if rnd.random() < 0.3 else value,
        ensure_ascii=rnd.random() < 0.4,
        indent=rnd.choice([None, None, 2, "\t"]),
        separators=rnd.choice([None, None, (",", ":"), (" ,", " :")]),
    )
    if rnd.random() < 0.2:
        text = text.replace("/", "\\/").replace("y", "\\u0079")
    if rnd.random() < 0.1:
        text = text.replace("\n", "\r\n")
    return text.encode(errors="replace")


def shuffled(rnd: Rnd, value: Any) -> Any:
    """The same value with the members of its objects in another order."""
    if type(value) is list:
        return [shuffled(rnd, item) for item in value]
    if type(value) is not dict:
        return value
    return {name: shuffled(rnd, value[name]) for name in rnd.sample([*value], len(value))}


def text_of(rnd: Rnd, value: Any) -> bytes:
    """A text, three of five times just as it should be, else with something odd."""
    fate = rnd.random()
    if fate < 0.25:
        return Speller(rnd, 0).text(value)
    if fate < 0.5:
        return respelled(rnd, value)
    text = Speller(rnd, rnd.choice([0.02, 0.1, 0.3])).text(value)
    if fate < 0.85:
        return text
    return _torn(rnd, text)


def _torn(rnd: Rnd, text: bytes) -> bytes:
    """A text with damage to its bytes."""
    start, end = sorted((rnd.randint(0, len(text)), rnd.randint(0, len(text))))
    deep = rnd.choice([b"[", b'{"a":']) * rnd.choice([5, 25, 199, 201, 1100])
    return rnd.choice(
        [
            text[:end],
            b"\xef\xbb\xbf" + text,
            text + rnd.choice([b"x", b"]", b"}", b" 1", b"\x00", b"\n", b",", b"{}"]),
            text[:start] + bytes([rnd.randrange(256)]) + text[start + 1 :],
            text[:start] + text[end:],
            text[:end] + text[start:],
            deep + text + (b"]" if deep[0] == 0x5B else b"}") * deep.count(deep[:1]),
            text.replace(b'":', b'"' + rnd.choice(ODD_PLACES) + b":", 1),
            text.replace(b",", b",,", 1),
            text.decode(errors="replace").encode(rnd.choice(["utf-16", "utf-8-sig", "utf-32-le"])),
            b"",
        ]
    )


class Tally(NamedTuple):
    """The counts of a run: schemas, with a fast path, texts, accepted texts, contradictions."""

    schemas: int = 0
    fast_paths: int = 0
    texts: int = 0
    accepted: int = 0
    valid: int = 0
    wrong: tuple[str, ...] = ()


def try_schema(rnd: Rnd, schema: Any, number: int, *, engine: str | None = None) -> Tally:
    """Try so many texts on the fast_path of one schema."""
    try:
        limits = Limits(max_depth=rnd.choice([200, 200, 3]), max_bytes=rnd.choice([10**6, 60]))
        validator = Validator(schema, limits=limits, engine=engine, formats=rnd.random() < 0.8)
    except ReferenceLoop:
        return Tally()
    pinned = {rnd.choice(NAMES): rnd.choice([None, "a", 'say "a"'])} if rnd.random() < 0.1 else None
    fast_path = build_fast_path(validator, pinned)
    if fast_path is None:
        return Tally(1)
    wrong: list[str] = []
    accepted = valid = tried = 0
    while tried < number:
        texts = [text_of(rnd, instance_of(rnd, schema, schema)) for _ in range(min(number, 40))]
        tried += len(texts)
        left = set(fast_path.rejected(texts))
        for index, text in enumerate(texts):
            taken = index not in left or (tried > 40 and fast_path.accepts(text))
            is_right = _is_right(validator, text, pinned)
            accepted, valid = accepted + taken, valid + is_right
            if taken and not is_right:
                wrong.append(f"{schema!r} pinned {pinned!r} {limits} {text[:200]!r}")
    return Tally(1, 1, tried, accepted, valid, tuple(wrong))


def _is_right(validator: Validator, text: bytes, pinned: dict[str, str | None] | None) -> bool:
    try:
        value = read(text, validator.limits)
    except UnreadableDocument:
        return False
    for name, wanted in (pinned or {}).items():
        found = value.get(name) if type(value) is dict else None
        if type(found) is not str or wanted not in (None, found):
            return False
    return validator.decides(value)


def total(tallies: list[Tally]) -> Tally:
    """The sum of what was tried."""
    counts = [sum(column) for column in zip(*(one[:5] for one in tallies), strict=True)]
    return Tally._make([*counts, tuple(wrong for one in tallies for wrong in one.wrong)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engine")
    options = parser.parse_args()
    begun, rnd, tallies = time.perf_counter(), Rnd(options.seed), [Tally()]
    done = 0
    while done < options.cases:
        tallies.append(try_schema(rnd, whole_schema(rnd), 400, engine=options.engine))
        done += tallies[-1].texts
        if len(tallies) > 1000:
            tallies = [total(tallies)]
    tally = total(tallies)
    for wrong in tally.wrong[:10]:
        print(wrong)
    print(
        f"{tally.schemas:,} schemas, {tally.fast_paths:,} with a fast path; {tally.texts:,} texts, "
        f"{tally.valid:,} valid, {tally.accepted:,} accepted, {len(tally.wrong):,} wrongly; "
        f"{time.perf_counter() - begun:.0f} s"
    )
    sys.exit(bool(tally.wrong))


if __name__ == "__main__":
    main()
