"""How the receipt of a thread stands for the head of its pull request."""

from domain.core.wire import Wire


class HeadReceipt(Wire):
    """The receipt of what a thread published last, for a head `commit`: void where that has another tree.

    `is_verified` is what the receipt says of its tree, `words` a sentence of ours.
    """

    commit: str
    is_void: bool = False
    is_verified: bool = False
    words: str = ""
