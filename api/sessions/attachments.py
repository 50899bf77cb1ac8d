"""Attachments: uploaded first, then named by a message."""

import base64

from fastapi import APIRouter

from api.core.attached import AttachedDep
from api.core.dependencies import JournalDep
from api.core.permissions import OF_PROJECTS
from api.sessions.bodies import AttachmentBody
from domain.core.attachments import LIMIT_BYTES, Attachment, mime_type_of
from domain.core.errors import InvalidError

router = APIRouter(tags=["attachments"], dependencies=[OF_PROJECTS])


@router.post("/attachments", status_code=201)
async def keep_attachment(
    body: AttachmentBody, journal: JournalDep, attached: AttachedDep
) -> Attachment:
    """Upload a file of at most 5 MB to attach to messages.

    Its content is base64. Messages take the response as an attachment.
    """
    try:
        content = base64.b64decode(body.content, validate=True)
    except ValueError as error:  # of base64, or of characters that are not ASCII
        raise InvalidError(f"the content is not base64: {error}") from error
    if not content or len(content) > LIMIT_BYTES:
        raise InvalidError(f"the file has {len(content)} bytes; allowed are 1 to {LIMIT_BYTES}")
    reference = await journal.put_text(base64.b64encode(content).decode())
    attached.note(reference)
    return Attachment(
        name=body.name,
        mime_type=mime_type_of(content),
        size_bytes=len(content),
        content_ref=reference,
    )
