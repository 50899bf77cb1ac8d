"""Pictures that verification steps kept."""

import base64

from fastapi import APIRouter, Response

from api.core.dependencies import ThreadLists
from api.core.permissions import OF_PROJECTS, PermitsDep
from api.streams.texts import named_text
from domain.core.errors import NotFoundError
from domain.verification.pictures import PICTURE_TYPES, picture_type

router = APIRouter(tags=["pictures"], dependencies=[OF_PROJECTS])

_IMAGES: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The picture",
        "content": {
            kind: {"schema": {"type": "string", "format": "binary"}}
            for kind in sorted(PICTURE_TYPES)
        },
    }
}
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Content-Disposition": "inline",
    "Cache-Control": "private, max-age=86400, immutable",
}
"""An agent made it: a browser must take it for a picture and nothing else, also in a tab of its own."""


@router.get("/pictures/{reference}", response_class=Response, responses=_IMAGES)
async def picture(reference: str, journal: ThreadLists, permits: PermitsDep) -> Response:
    """Get a picture that a verification step kept, by the `content_ref` of its result.

    It is found only where an event of a project of yours names it, and is PNG, JPEG or WebP.
    """
    kept = await named_text(reference, journal, permits)
    content = _decoded(kept) if kept is not None else b""
    kind = picture_type(content)
    if not kind:
        raise NotFoundError("no such picture; references are 64 hex digits")
    return Response(content, media_type=kind, headers=_HEADERS)


def _decoded(text: str) -> bytes:
    """Return the bytes of a text in base64; none where it is another text."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""
