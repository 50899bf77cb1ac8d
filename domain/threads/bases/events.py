"""Events of the base of a thread's branch."""

from typing import Literal

from domain.core.event import EventBody
from domain.threads.bases.commands import BaseMethod
from domain.threads.bases.looks import BaseLook


class BaseRequested(EventBody):
    """A person, or what publishes the thread, wants the base in the thread's branch."""

    kind: Literal["base_requested"] = "base_requested"
    number: int
    method: BaseMethod = BaseMethod.POLICY
    by: str = ""
    is_by_forge: bool = False


class BaseChecked(EventBody):
    """The base was looked at for what was due; `commit` is where the branch is now, if that moved it.

    With a `failure` or `conflicts` the branch is where it was.
    """

    kind: Literal["base_checked"] = "base_checked"
    due: str
    look: BaseLook = BaseLook()
    commit: str = ""
    conflicts: tuple[str, ...] = ()
    failure: str = ""


BaseEvent = BaseRequested | BaseChecked
