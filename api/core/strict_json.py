"""Strict JSON, which all parsers read alike.

Usual parsers accept duplicate keys, NaN, lone surrogates and UTF-16, and understand them differently.
"""

import json
import re
from collections import Counter
from typing import Any, NoReturn

from api.core.problems import RefusedError, echo

DEPTH_LIMIT = 32
DIGITS_LIMIT = 100
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKET = re.compile(r"[\[{\]}]")


def parse(body: bytes) -> Any:
    """Parse a body; refuse one that is not plain JSON.

    Raises:
        RefusedError: It is invalid (400); the type says how.
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _refused("not_utf8", f"byte {error.start} is not UTF-8") from error
    if text.startswith("\ufeff"):
        raise _refused("not_utf8", "the body starts with a byte order mark: remove it")
    _check_depth(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_without_duplicates,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_short,
        )
        json.dumps(value, ensure_ascii=False).encode()  # fails on lone surrogates
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise _refused("invalid_json", f"{error.msg} at {place}") from error
    except UnicodeEncodeError as error:
        raise _refused("bad_unicode", "a string contains an unpaired surrogate") from error
    return value


def _refused(name: str, detail: str) -> RefusedError:
    return RefusedError(400, name, detail)


def _check_depth(text: str) -> None:
    depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > DEPTH_LIMIT:
            raise _refused("too_deep", f"the body has more than {DEPTH_LIMIT} levels of nesting")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = counts.most_common(1)[0][0]
        raise _refused("duplicate_key", f"the key {echo(twice)} is repeated")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise _refused("invalid_json", f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in {float("inf"), float("-inf")}:
        raise _refused("number_out_of_range", f"the number {echo(digits)} is too large")
    return number


def _short(digits: str) -> int:
    if len(digits) > DIGITS_LIMIT:
        raise _refused("number_out_of_range", f"the number {echo(digits)} is too long")
    return int(digits)
