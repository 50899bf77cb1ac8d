"""A look at a thread's branch before it is merged or published: what is shown is what is named."""

from cli.core.client import Client, path_of
from cli.core.console import messages
from cli.core.errors import CommandError
from cli.tasks.diff import coloured
from domain.core.changes import BranchChanges

SHORT = 12


def look(client: Client, thread: str) -> BranchChanges:
    """Return where a thread's branch is, and what it changes."""
    return BranchChanges.model_validate(client.get(path_of("threads", thread, "changes")))


def show(client: Client, found: BranchChanges) -> None:
    """Draw what a branch changes."""
    if found.diff_ref:
        messages.print(coloured(client.text(path_of("texts", found.diff_ref))))


def check_at(branch: str, is_at: str, expected: str | None) -> None:
    """Refuse a branch that is not at the commit that was said.

    Raises:
        CommandError: It is at another one.
    """
    if expected is not None and (not expected or not is_at.startswith(expected)):
        raise CommandError(
            f"{branch} is at {is_at[:SHORT]}, not {expected!r}: review it again with `treadle diff`"
        )
