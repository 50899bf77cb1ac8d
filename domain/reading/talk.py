"""What was said in a chat, as planners are told it that were not there."""

from domain.core.ids import SessionId
from domain.plans.handoff import bounded, listed
from domain.reading.projection import ThreadFold


def talk_of(fold: ThreadFold, session_id: SessionId | None = None) -> str:
    """Return the last words of a chat, by default of the newest, as a Markdown list.

    Empty where nothing was said, or there is no such chat. The newest 12 messages, each of at most
    1,500 characters.
    """
    chats = [s.session_id for s in fold.thread.sessions.values() if s.is_chat and not s.is_archived]
    for chat in reversed(chats):
        if session_id in {None, chat} and (words := [*fold.recall.last_words(chat)]):
            lines = (f"{each.who}: {each.text}".replace("\n", "\n  ") for each in words)
            return bounded(listed(lines))
    return ""
