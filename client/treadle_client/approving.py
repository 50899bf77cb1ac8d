"""A decision on what was shown, as the API takes it."""

from collections.abc import Sequence

from treadle_client.models import ApprovalBody, ApprovalBodyChoice, ApprovalRequest, CommentBody


def approval_of(request: ApprovalRequest, *, is_acknowledged: bool = False) -> ApprovalBody:
    """Return an approval, bound to the hash of what was shown."""
    return ApprovalBody(
        request_id=request.request_id,
        content_hash=request.content_hash,
        choice=ApprovalBodyChoice.APPROVE,
        is_acknowledged=is_acknowledged,
    )


def rejection_of(
    request: ApprovalRequest, feedback: str, comments: Sequence[CommentBody]
) -> ApprovalBody:
    """Return a rejection, and what is to be changed."""
    return ApprovalBody(
        request_id=request.request_id,
        content_hash=request.content_hash,
        choice=ApprovalBodyChoice.REJECT,
        feedback=feedback,
        comments=list(comments),
    )
