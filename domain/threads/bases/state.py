"""What a thread remembers of the base of its branch."""

from domain.core.wire import Wire
from domain.threads.bases.commands import BaseMethod
from domain.threads.bases.looks import BaseLook

MAX_CHECKED = 50


class BaseState(Wire):
    """Where the base is: `behind` commits are in it and not in the thread's branch.

    `number` counts the times that somebody asked, `asked` is the one that is under way, 0 for none; `is_by_forge` that
    the forge asked, and no person. `checked` are the newest of what it was looked at for. `note` says why it was not
    fetched, `failure` why it was not taken in; `is_tip_unverified` that a person's merge of it has not been verified.
    """

    number: int = 0
    asked: int = 0
    is_by_forge: bool = False
    method: BaseMethod = BaseMethod.POLICY
    checked: tuple[str, ...] = ()
    remote: str = ""
    base: str = ""
    commit: str = ""
    behind: int = 0
    updated: str = ""
    conflicts: tuple[str, ...] = ()
    note: str = ""
    failure: str = ""
    is_tip_unverified: bool = False


def base_at_opening(look: BaseLook) -> BaseState:
    """Return what a thread knows of its base when it is opened."""
    if not look.commit:
        return BaseState(note=look.note)
    return BaseState(
        remote=look.remote, base=look.base, commit=look.commit, behind=look.behind, note=look.note
    )
