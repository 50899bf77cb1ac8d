"""YAML from files that a repository or a user may have written: small, plain, without surprises."""

import yaml

MAX_BYTES = 64 * 1024
MAX_DEPTH = 32
FENCE = "---"


class UnsafeYamlError(ValueError):
    """The text is too big, not YAML, not a mapping, or uses anchors, aliases or tags."""


def load_yaml(raw: bytes) -> dict[str, object]:
    """Read a YAML mapping; an empty text is an empty one.

    Anchors, aliases and tags are refused: a few lines of them can become gigabytes or objects.

    Raises:
        UnsafeYamlError: With the line where there is one.
    """
    if len(raw) > MAX_BYTES:
        raise UnsafeYamlError(f"it has {len(raw)} bytes, at most {MAX_BYTES} are read")
    try:
        text = raw.decode()
        _refuse_references(text)
        value = yaml.safe_load(text)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UnsafeYamlError(f"it is not YAML: {error}") from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UnsafeYamlError("it is not a mapping of names to values")
    return {str(key): item for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  (YAML keys may be anything)


def split(raw: bytes) -> tuple[dict[str, object], str]:
    """Read a Markdown file with a frontmatter; without one the mapping is empty.

    Raises:
        UnsafeYamlError: The frontmatter is not closed, or as for `load_yaml`.
    """
    if len(raw) > MAX_BYTES:
        raise UnsafeYamlError(f"it has {len(raw)} bytes, at most {MAX_BYTES} are read")
    try:
        lines = raw.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise UnsafeYamlError(f"it is not UTF-8: {error}") from error
    if not lines or lines[0].strip() != FENCE:
        return {}, "\n".join(lines)
    ends = [n for n, line in enumerate(lines[1:], 1) if line.strip() == FENCE]
    if not ends:
        raise UnsafeYamlError("its frontmatter has no closing line '---'")
    return load_yaml("\n".join(lines[1 : ends[0]]).encode()), "\n".join(lines[ends[0] + 1 :])


def _refuse_references(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise UnsafeYamlError(f"it is nested deeper than {MAX_DEPTH}")
        has_anchor = getattr(event, "anchor", None) is not None
        has_tag = getattr(event, "tag", None) is not None
        if isinstance(event, yaml.AliasEvent) or has_anchor or has_tag:
            place = f"line {event.start_mark.line + 1}: " if event.start_mark else ""
            raise UnsafeYamlError(f"{place}anchors, aliases and tags are not read")
