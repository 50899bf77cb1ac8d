"""Files for messages: kept first, then named by the message."""

import base64

from fastapi import APIRouter

from api.core.dependencies import JournalDep
from api.sessions.bodies import AttachmentBody
from domain.core.attachments import LIMIT_BYTES, Attachment, mime_type_of
from domain.core.errors import InvalidError

router = APIRouter(tags=["attachments"])


@router.post("/attachments", status_code=201)
async def keep_attachment(body: AttachmentBody, journal: JournalDep) -> Attachment:
    """Keep a file of at most 5 MB, its content in base64; messages take what this answers.

    The same file again is kept once.
    """
    try:
        content = base64.b64decode(body.content, validate=True)
    except ValueError as error:  # of base64, or of characters that are not ASCII
        raise InvalidError(f"the content is no base64: {error}") from error
    if not content or len(content) > LIMIT_BYTES:
        raise InvalidError(f"a file has 1 to {LIMIT_BYTES} bytes, this one has {len(content)}")
    return Attachment(
        name=body.name,
        mime_type=mime_type_of(content),
        size_bytes=len(content),
        content_ref=await journal.put_text(base64.b64encode(content).decode()),
    )
