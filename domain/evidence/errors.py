"""Why a receipt is refused or cannot be made: a branch of the tree in domain/core/errors.py."""

from domain.core.errors import ConflictError, InvalidError


class ReceiptRefusedError(InvalidError):
    """A file is no receipt that can be believed; the message says why."""

    type = "receipt_refused"


class NoReceiptError(ConflictError):
    """There is no receipt: nothing was published yet, or before there were receipts."""

    type = "no_receipt"
