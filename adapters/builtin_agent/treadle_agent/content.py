"""What a client sends in a prompt, as a model takes it."""

import base64
import binascii
from collections.abc import Iterable
from typing import Any

from pydantic_ai.messages import BinaryContent, UserContent

from treadle_agent.rpc import INVALID_PARAMS, RpcError
from treadle_agent.tolerant import as_dict

TITLE_CHARACTERS = 80


def user_content(blocks: Iterable[Any]) -> list[UserContent]:
    """Return ACP's content blocks as a user's message.

    Raises:
        RpcError: A block is of a kind that the agent did not offer to take, or broken.
    """
    return [_block(as_dict(block)) for block in blocks]


def plain_text(blocks: Iterable[Any]) -> str:
    """Return the text of a prompt alone."""
    texts = (str(b.get("text", "")) for b in map(as_dict, blocks) if b.get("type") == "text")
    return "".join(texts).strip()


def title_of(text: str) -> str:
    """Return a conversation's title: the first line of its first prompt, without marks of Markdown."""
    line = next((line.strip(" #*") for line in text.splitlines() if line.strip(" #*")), "")
    return line if len(line) <= TITLE_CHARACTERS else f"{line[:TITLE_CHARACTERS]}…"


def _block(block: dict[str, Any]) -> UserContent:
    kind = block.get("type")
    if kind == "text":
        return str(block.get("text", ""))
    if kind == "image":
        return _binary(block.get("data"), str(block.get("mimeType") or "image/png"))
    if kind == "resource_link":
        return f"[{block.get('title') or block.get('name')}]({block.get('uri')})"
    if kind == "resource":
        resource = as_dict(block.get("resource"))
        if (text := resource.get("text")) is not None:
            return f'<resource uri="{resource.get("uri")}">\n{text}\n</resource>'
        media_type = str(resource.get("mimeType") or "application/octet-stream")
        return _binary(resource.get("blob"), media_type)
    raise RpcError(INVALID_PARAMS, f"prompts may not hold content of type {kind!r}")


def _binary(data: object, media_type: str) -> BinaryContent:
    try:
        return BinaryContent(
            base64.b64decode(str(data or ""), validate=True), media_type=media_type
        )
    except binascii.Error as error:
        raise RpcError(INVALID_PARAMS, f"content of type {media_type} is no base64") from error
