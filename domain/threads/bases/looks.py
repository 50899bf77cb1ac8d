"""Where the base of a thread's branch was found to be."""

from domain.core.wire import Wire


class BaseLook(Wire):
    """Where a base is: `behind` counts its commits that the thread's branch does not have.

    `note` says why it was not fetched, and what was looked at instead if anything; `is_rewritten` that it does
    not hold any more what it held before. `tip` is where the thread's branch is, and `tree` what is there. Where an
    earlier attempt has taken the base in, `taken` is where it moved the branch to, and the others say what was before.
    """

    remote: str = ""
    base: str = ""
    commit: str = ""
    behind: int = 0
    is_rewritten: bool = False
    note: str = ""
    tip: str = ""
    tree: str = ""
    taken: str = ""
