"""The operations as classes, one for each tag, each for callers that wait and for those that await."""

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby

from generator.annotations import annotation_of
from generator.document import STREAM, Operation, Parameter

_HEAD = '''"""The operations of Treadle's API. Generated from its OpenAPI document: do not edit."""

import builtins
from collections.abc import AsyncGenerator, Generator
from datetime import datetime
from typing import Any, Literal

from treadle_client import models
from treadle_client.async_sending import AsyncSender
from treadle_client.calls import call_of
from treadle_client.sending import Sender
from treadle_client.streams import Message

'''
_CLASS = '''
class {name}:
    """{words}"""

    def __init__(self, sender: {sender}) -> None:
        self._sender = sender
'''
_KINDS = {"application/json": "json", STREAM: "stream", "": "nothing"}


def operations_module(operations: Iterable[Operation]) -> str:
    """Return the text of the module."""
    by_tag = {
        tag: list(found)
        for tag, found in groupby(
            sorted(operations, key=lambda o: (o.tag, o.name)), lambda o: o.tag
        )
    }
    text = [_HEAD]
    for prefix in ("", "Async"):
        for tag, found in by_tag.items():
            words = f"What the API has of {tag.replace('_', ' ')}."
            name = _class_name(tag, prefix)
            text.append(_CLASS.format(name=name, words=words, sender=f"{prefix}Sender"))
            text += [_method(each, is_async=bool(prefix)) for each in found]
            text.append("\n")
        text.append(_resources(by_tag, prefix))
    return "".join(text)


def _class_name(tag: str, prefix: str) -> str:
    return prefix + "".join(part.capitalize() for part in tag.split("_"))


def _resources(tags: Iterable[str], prefix: str) -> str:
    name = f"{prefix}Resources"
    words = "All operations, by what they are about."
    lines = [_CLASS.format(name=name, words=words, sender=f"{prefix}Sender").rstrip("\n")]
    lines += [f"        self.{tag} = {_class_name(tag, prefix)}(sender)" for tag in tags]
    return "\n".join(lines) + "\n\n"


def _method(operation: Operation, *, is_async: bool) -> str:
    kind = _KINDS.get(operation.media_type) or ("text" if _is_text(operation) else "content")
    is_stream = kind == "stream"
    start = "async def" if is_async and not is_stream else "def"
    awaits = "await " if is_async and not is_stream else ""
    returns = _returned(operation, kind, is_async=is_async)
    arguments = ", ".join(_arguments(operation, kind))
    words = textwrap.indent(operation.summary.replace("\\", "\\\\"), " " * 8).strip()
    end = '"""' if "\n" not in words else '\n        """'
    return f'''
    {start} {operation.name}({", ".join(["self", *_declared(operation)])}) -> {returns}:
        """{words}{end}
        return {awaits}self._sender.{kind}({arguments})
'''


def _is_text(operation: Operation) -> bool:
    return operation.media_type.startswith("text/")


def _returned(operation: Operation, kind: str, *, is_async: bool) -> str:
    if kind == "stream":
        data = _streamed(operation)
        return f"AsyncGenerator[{data}]" if is_async else f"Generator[{data}]"
    if kind == "json":
        return annotation_of(operation.answer or {})
    return {"nothing": "None", "text": "str"}.get(kind, "bytes")


def _streamed(operation: Operation) -> str:
    found = annotation_of(operation.answer or {})
    return found if found.startswith("models.") else "Message"


def _declared(operation: Operation) -> Iterator[str]:
    """Yield the parameters: what is needed by place, and the rest by name."""
    for each in operation.parameters:
        if each.is_in_path:
            yield f"{each.name}: {annotation_of(each.schema)}"
    if operation.body is not None:
        yield f"body: {annotation_of(operation.body)}" + (
            " | None = None" if _is_empty(operation) else ""
        )
    query = [each for each in operation.parameters if not each.is_in_path]
    if query:
        yield "*"
    for each in sorted(query, key=lambda each: not each.is_required):
        yield f"{each.name}: {annotation_of(each.schema)}{_default(each)}"


def _default(parameter: Parameter) -> str:
    if parameter.is_required:
        return ""
    is_optional = "None" in annotation_of(parameter.schema)
    return " = None" if is_optional else " | None = None"


def _arguments(operation: Operation, kind: str) -> Iterator[str]:
    if kind in {"json", "stream"}:
        yield _streamed(operation) if kind == "stream" else annotation_of(operation.answer or {})
    yield f"call_of({', '.join(_parts(operation))})"


def _parts(operation: Operation) -> Iterator[str]:
    """Yield what a request is made of."""
    yield f'"{operation.method}", "{operation.path}"'
    parts = [f'"{each.name}": {each.name}' for each in operation.parameters if each.is_in_path]
    if parts:
        yield f"path={{{', '.join(parts)}}}"
    query = [f'"{each.name}": {each.name}' for each in operation.parameters if not each.is_in_path]
    if query:
        yield f"query={{{', '.join(query)}}}"
    if operation.body is not None:
        body = annotation_of(operation.body)
        yield f"body=body or {body}()" if _is_empty(operation) else "body=body"
    if not operation.is_repeatable:
        yield "has_id=False"


def _is_empty(operation: Operation) -> bool:
    """Tell whether a body has nothing that its caller must say."""
    return annotation_of(operation.body or {}) in {"models.CommandBody", "models.EmptyBody"}
