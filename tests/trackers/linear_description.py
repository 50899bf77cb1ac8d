"""What Linear publishes of its GraphQL, as the types of its SDK have it (npm: @linear/sdk); the schema itself is in no package."""

import re
from functools import cache
from pathlib import Path

from graphql import GraphQLSchema, build_schema

from tests.agents.installation import packages

FOLDER = Path(__file__).parent
_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)
_TYPE = re.compile(r"^type (\w+) = ((?:\w+ & )*)\{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
_UNION = re.compile(r"^type ([A-Za-z]+) = ([A-Za-z]+(?: \| [A-Za-z]+)+);$", re.MULTILINE)
_ENUM = re.compile(r"^declare enum (\w+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^  (\w+)(\??): (.+);$", re.MULTILINE)
_SCALAR = re.compile(r'Scalars\["(\w+)"\]')
_MEMBER = re.compile(r'= "(\w+)"')
_MAYBE = re.compile(r"(?:Input)?Maybe<(.+)>")
_LIST = re.compile(r"Array<(.+)>")
_BUILT_IN = frozenset({"ID", "String", "Boolean", "Int", "Float"})


@cache
def schema() -> GraphQLSchema:
    """Return the schema that the SDK's types were made of."""
    folder = packages(FOLDER) / "@linear" / "sdk" / "dist"
    texts = (file.read_text() for file in folder.glob("index*.d.mts"))
    [types] = [text for text in texts if "type QueryIssuesArgs =" in text]
    return build_schema(written(_COMMENT.sub("", types)), assume_valid=True)


def written(types: str) -> str:
    """Return types of TypeScript as GraphQL's language has them."""
    found = {name: (above, body) for name, above, body in _TYPE.findall(types)}
    scalars = set(_SCALAR.findall(types))
    enums = {name: _MEMBER.findall(body) for name, body in _ENUM.findall(types)}
    unions = dict(_UNION.findall(types))
    known = {*found, *scalars, *enums, *unions}
    interfaces = {name for above, _ in found.values() for name in above.split(" & ") if name}
    parts = [f"scalar {name}" for name in scalars - _BUILT_IN]
    parts += [f"enum {name} {{ {' '.join(members)} }}" for name, members in enums.items()]
    parts += [f"union {name} = {of}" for name, of in unions.items()]
    for name, (above, body) in found.items():
        is_output = "__typename?:" in body
        fields = _fields(body, known)
        if not fields or (name.endswith("Args") and not is_output):
            continue
        word = "type" if is_output else "interface" if name in interfaces else "input"
        named = {f"{name}{each[0].upper()}{each[1:]}Args": each for each in fields}
        asked = {
            each: _fields(found[args][1], known) for args, each in named.items() if args in found
        }
        lines = [f"{each}{_arguments(asked.get(each))}: {of}" for each, of in fields.items()]
        implemented = above.strip(" &") if word != "input" else ""
        heading = f"{word} {name}" + (f" implements {implemented}" if implemented else "")
        parts.append("\n  ".join([f"{heading} {{", *lines]) + "\n}")
    return "\n".join(parts)


def _arguments(given: dict[str, str] | None) -> str:
    return f"({', '.join(f'{name}: {of}' for name, of in given.items())})" if given else ""


def _fields(body: str, known: set[str]) -> dict[str, str]:
    """Return the fields whose types are GraphQL's."""
    fields = {name: _type(of) for name, _, of in _FIELD.findall(body) if name != "__typename"}
    return {name: of for name, of in fields.items() if of.strip("[]!") in known}


def _type(of: str) -> str:
    """Return a type: what may be null says so, and all else may not."""
    if maybe := _MAYBE.fullmatch(of):
        return _type(maybe[1]).removesuffix("!")
    if several := _LIST.fullmatch(of):
        return f"[{_type(several[1])}]!"
    scalar = _SCALAR.fullmatch(of)
    return f"{scalar[1] if scalar else of}!"
