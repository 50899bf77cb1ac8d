"""Text of Jira: documents in the Atlassian Document Format, to text and back."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

MAX_DEPTH = 30
"""How deep a document is read; what lies deeper is left out."""

_LINES = frozenset(
    {"paragraph", "heading", "codeBlock", "listItem", "tableRow", "rule", "blockquote"}
)
"""Nodes after which a line ends."""

_PREFIXES: Mapping[object, str] = {"blockquote": "> ", "listItem": "* "}
"""How quoted text and lists are told from what somebody says: a quoted line is no order."""

_FENCE = "```"
_INDENT = "    "


def text_of(document: object, depth: int = 0) -> str:
    """Return the text of a document, a line for each paragraph; what is no document is empty."""
    return _text(document, depth).strip()


def _text(node: object, depth: int) -> str:
    if not isinstance(node, Mapping) or depth > MAX_DEPTH:
        return ""
    known = cast("Mapping[str, Any]", node)
    kind = str(known.get("type"))
    if kind == "hardBreak":
        return "\n"
    own = _own_text(known)
    content: Any = known.get("content")
    children = cast("list[object]", content) if isinstance(content, list) else []
    inner = "".join(_text(child, depth + 1) for child in children)
    if kind in _PREFIXES:
        inner = "".join(f"{_PREFIXES[kind]}{line}\n" for line in inner.splitlines())
    elif kind == "codeBlock":
        inner = f"{_FENCE}\n{inner}\n{_FENCE}"
    end = "\n" if kind in _LINES and not inner.endswith("\n") else ""
    return f"{own}{inner}{end}"


def _own_text(node: Mapping[str, Any]) -> str:
    attributes: Any = node.get("attrs") or {}
    named = {"mention": "text", "emoji": "shortName", "inlineCard": "url", "status": "text"}
    if (name := named.get(str(node.get("type")))) is not None:
        return str(attributes.get(name, ""))
    return str(node.get("text", ""))


def document_of(text: str) -> dict[str, Any]:
    """Return a document of our own text: fenced and indented lines are blocks of code, others paragraphs."""
    return {"version": 1, "type": "doc", "content": list(_blocks(text.splitlines()))}


def _blocks(lines: list[str]) -> Iterator[dict[str, Any]]:
    block, is_code, fence = list[str](), False, ""
    for line in lines:
        if fence:
            if line == fence:
                yield from _block(block, is_code=True)
                block, fence, is_code = [], "", False
            else:
                block.append(line)
            continue
        is_indented = line.startswith(_INDENT)
        if line.startswith(_FENCE) or not line.strip() or is_indented != is_code:
            yield from _block(block, is_code=is_code)
            block, is_code = [], is_indented
        if line.startswith(_FENCE):
            fence = line[: len(line) - len(line.lstrip("`"))]
        elif line.strip():
            block.append(line.removeprefix(_INDENT) if is_indented else line)
    yield from _block(block, is_code=is_code or bool(fence))


def _block(lines: list[str], *, is_code: bool) -> Iterator[dict[str, Any]]:
    text = "\n".join(lines)
    if not text.strip():
        return
    if is_code:
        yield {"type": "codeBlock", "content": [{"type": "text", "text": text}]}
        return
    parts: list[dict[str, Any]] = []
    for line in lines:
        parts += [{"type": "hardBreak"}, {"type": "text", "text": line.rstrip()}]
    yield {"type": "paragraph", "content": parts[1:]}
