"""Work that was lost with a host: what is said of it, and what can bring it back."""

from collections.abc import Sequence

from domain.core.errors import ConflictError
from domain.core.wire import Wire

WORK_LOST = "work_lost"
_NAMED = 5
_OID_LENGTH = 40


class WorkLostError(ConflictError):
    """Commits were never copied to the hub before their host was lost; the message says where they may still be."""

    type = WORK_LOST


class LostWork(Wire):
    """Commits and branches of a thread that neither this host nor the hub has.

    `host` is where the thread was before, empty where the hub knows nothing of the thread. `folder` is the
    repository in that host's data folder, `ref` where the hub takes what is pushed for the thread.
    """

    names: tuple[str, ...]
    thread: str
    host: str = ""
    folder: str
    url: str
    ref: str

    @property
    def message(self) -> str:
        """What is lost, where it may still be, and what to do."""
        what, are = _listed(self.names)
        where = f"host {self.host}" if self.host else "the host that the thread was on before"
        push = " ".join(
            f"{oid}:{self.ref}{oid[:12]}" for oid in self.names[:_NAMED] if _is_oid(oid)
        )
        command = f"`git push {self.url} {push}`" if push else "`git push` of its branch"
        return (
            f"{what} of {self.thread} {are} not on the hub {self.url}, and the thread has moved to another host "
            f"since. What is lost may still be on {where}, in {self.folder} in its data folder. Bring that host back "
            f"(`treadle hosts` lists it), run {command} in that folder, then retry; or retry without it to go on from the last "
            "checkpoint that is on the hub"
        )


def _listed(names: Sequence[str]) -> tuple[str, str]:
    """Return what is lost in words, and the verb that goes with it."""
    shown = ", ".join(name[:12] if _is_oid(name) else name for name in names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{shown}{more}", "is" if len(names) == 1 else "are"


def _is_oid(name: str) -> bool:
    return len(name) == _OID_LENGTH and set(name) <= set("0123456789abcdef")
