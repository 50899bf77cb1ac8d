"""YAML from files that a repository or a user may have written: small, plain, without surprises.

Values are built from the parser's events: nothing is copied twice and nothing is called by name.
Only what YAML 1.2 and JSON read alike is anything else than text: `no`, `on`, `010`, dates and
`12:30:00` stay as they are written.
"""

import re
from collections.abc import Generator
from typing import Any, NamedTuple

import yaml

MAX_BYTES = 64 * 1024
MAX_DEPTH = 20
MAX_NODES = 10_000
FENCE = "---"
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})", re.ASCII)
_FLOAT = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?([eE][-+]?[0-9]{1,2})?", re.ASCII)
# libyaml's parser where PyYAML was built with it, which is the case of every wheel
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class UnsafeYamlError(ValueError):
    """A text is not taken; `type` is the stable name of the reason, the message names the place."""

    def __init__(self, type_name: str, reason: str, line: int = 0, column: int = 1) -> None:
        place = f"line {line}, column {column}: " if line else ""
        super().__init__(f"{place}{reason} ({type_name})")
        self.type = type_name
        self.line = line
        self.column = column


class Place(NamedTuple):
    """A place in a file; both count from 1."""

    line: int
    column: int


KeyPath = tuple[str | int, ...]
"""The way to a value: names of mappings, and positions in sequences from 0."""


class Frontmatter(NamedTuple):
    """What stands above a Markdown file's text, where each value of it stands, and the text."""

    values: dict[str, object]
    prose: str
    places: dict[KeyPath, Place]

    def place_of(self, path: KeyPath) -> Place:
        """Return where a value stands, or what would hold it where it is missing."""
        while path not in self.places and path:
            path = path[:-1]
        return self.places.get(path, Place(1, 1))


def load_yaml(raw: bytes) -> dict[str, object]:
    """Read one YAML mapping; an empty text is an empty one.

    Raises:
        UnsafeYamlError: With the line where there is one.
    """
    return placed_yaml(raw).values


def placed_yaml(raw: bytes) -> Frontmatter:
    """Read one YAML mapping with the places of its values; there is no prose. Fails as `load_yaml`."""
    reader = _Reader(_text(raw), 0)
    return Frontmatter(_mapping(reader), "", reader.places)


def split(raw: bytes) -> Frontmatter:
    """Read a Markdown file: its frontmatter, and the text below.

    Raises:
        UnsafeYamlError: There is no frontmatter, it is not closed, or as for `load_yaml`.
    """
    lines = _text(raw).split("\n")
    if lines[0].rstrip() != FENCE:
        raise UnsafeYamlError(
            "not_a_mapping", "its frontmatter must be a mapping: line 1 is not '---'", 1
        )
    end = next((n for n, line in enumerate(lines) if n and line.rstrip() == FENCE), None)
    if end is None:
        raise UnsafeYamlError(
            "not_a_mapping", "its frontmatter must be a mapping: no second line '---'", 1
        )
    reader = _Reader("\n".join(lines[1:end]), 1)
    return Frontmatter(_mapping(reader), "\n".join(lines[end + 1 :]), reader.places)


def _text(raw: bytes) -> str:
    if len(raw) > MAX_BYTES:
        raise UnsafeYamlError("too_big", f"it has {len(raw)} bytes, at most {MAX_BYTES} are read")
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UnsafeYamlError("not_utf8", "it is not UTF-8", line, 1) from error


def _mapping(reader: "_Reader") -> dict[str, object]:
    value = reader.document()
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UnsafeYamlError("not_a_mapping", "it must be a mapping of names to values", 1)
    return {str(key): item for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  (isinstance tells no more)


class _Reader:
    """Builds the value of one document, refusing on the way what could grow or surprise."""

    def __init__(self, text: str, lines_before: int) -> None:
        self._lines_before = lines_before
        self._nodes = 0
        self.places: dict[KeyPath, Place] = {}
        self._events = self._checked(text)

    def document(self) -> object:
        """Return the value of the only document."""
        value: object = None
        documents = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self._refusal("many_documents", "only one document is read", event)
                value = self._value(next(self._events), ())
        return value

    def _value(self, event: yaml.Event, path: KeyPath) -> object:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise self._refusal("too_many_nodes", f"more than {MAX_NODES} values", event)
        if isinstance(event, yaml.ScalarEvent):
            return _plain(event.value) if event.implicit[0] else event.value
        if len(path) >= MAX_DEPTH:
            raise self._refusal("too_deep", f"it is nested deeper than {MAX_DEPTH}", event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path)
        found: dict[str, object] = {}
        for key in self._until(yaml.MappingEndEvent):
            name = self._key(key)
            if name in found:
                raise self._refusal("duplicate_key", f"{name[:80]!r} is there twice", key)
            self.places[*path, name] = self._place(key)
            found[name] = self._value(next(self._events), (*path, name))
        return found

    def _sequence(self, path: KeyPath) -> list[object]:
        found: list[object] = []
        for item in self._until(yaml.SequenceEndEvent):
            here = (*path, len(found))
            self.places[here] = self._place(item)
            found.append(self._value(item, here))
        return found

    def _key(self, event: yaml.Event) -> str:
        self._nodes += 1
        if not isinstance(event, yaml.ScalarEvent):
            raise self._refusal("wrong_type", "a name must be plain text", event)
        if event.value == "<<" and event.implicit[0]:
            raise self._refusal("yaml_feature_not_allowed", "merge keys are not read", event)
        return event.value

    def _until(self, end: type[yaml.Event]) -> Generator[yaml.Event]:
        while not isinstance(event := next(self._events), end):
            yield event

    def _checked(self, text: str) -> Generator[yaml.Event]:
        """Yield the parser's events but refuse anchors, aliases and tags, and what is not YAML."""
        try:
            for event in yaml.parse(text, Loader=_Loader):
                has_anchor = getattr(event, "anchor", None) is not None
                has_tag = getattr(event, "tag", None) is not None
                if isinstance(event, yaml.AliasEvent) or has_anchor or has_tag:
                    words = "anchors, aliases and tags are not read"
                    raise self._refusal("yaml_feature_not_allowed", words, event)
                yield event
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            place = (mark.line + 1 + self._lines_before, mark.column + 1) if mark else (0, 1)
            raise UnsafeYamlError(
                "yaml_syntax", f"it is not YAML: {error.problem}", *place
            ) from error
        except yaml.YAMLError as error:
            line = text.count("\n", 0, getattr(error, "position", 0)) + 1 + self._lines_before
            words = "a control character"
            raise UnsafeYamlError("control_character", words, line, 1) from error

    def _refusal(self, type_name: str, reason: str, event: yaml.Event) -> UnsafeYamlError:
        return UnsafeYamlError(type_name, reason, *self._place(event))

    def _place(self, event: yaml.Event) -> Place:
        mark = event.start_mark
        line, column = (mark.line, mark.column) if mark else (0, 0)
        return Place(line + 1 + self._lines_before, column + 1)


def _plain(text: str) -> object:
    """Return what an unquoted scalar stands for."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text
