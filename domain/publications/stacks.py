"""Rules of a pull request of a stack: what keeps it from following the one below it is asked once."""

from domain.core.decisions import Decided
from domain.core.event import EventBody
from domain.publications.commands import NoteStack
from domain.publications.events import PullRequestItemClosed, PullRequestItemOpened
from domain.publications.items import MAX_TEXT, Item, ItemKind, ItemOutcome, item_id
from domain.publications.registry import PUBLICATION_RULES
from domain.publications.state import PublicationState

_ADVICE = (
    "put its branch right on the forge or with git, then `treadle publish` tries again; or merge it there "
    "yourself: what is above it goes on then"
)


@PUBLICATION_RULES.handles
def note_stack(command: NoteStack, state: PublicationState) -> Decided:
    name = item_id(ItemKind.STACKED, state.commit, command.trouble) if command.trouble else ""
    events: list[EventBody] = [
        PullRequestItemClosed(item_id=each, subject=item.subject, outcome=ItemOutcome.SETTLED)
        for each, item in state.items.items()
        if item.kind is ItemKind.STACKED and each != name
    ]
    is_known = name in state.items or state.closed.get(name) is ItemOutcome.DISMISSED
    if name and not is_known and state.is_watched:
        item = Item(
            item_id=name,
            kind=ItemKind.STACKED,
            subject="It does not follow the pull request below it",
            advice=_ADVICE,
            text=command.trouble[:MAX_TEXT],
            url=state.url,
        )
        events.append(PullRequestItemOpened(item=item))
    return Decided(tuple(events))
