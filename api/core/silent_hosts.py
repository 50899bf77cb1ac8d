"""What an answer says of a host that does not answer."""

from contextlib import suppress
from typing import Annotated

from fastapi import Depends

from api.core.dependencies import SettingsDep, ThreadLists
from domain.core.command import Answer
from domain.core.errors import JournalError
from domain.hosts.silence import silence


class SilentHosts:
    """Says with the answer to a command that the host of its thread is silent or lost."""

    def __init__(self, journal: ThreadLists, settings: SettingsDep) -> None:
        self._hosts = journal.hosts
        self._limit = settings.host.silent_seconds

    async def added_to(self, answer: Answer, workflow_id: str) -> Answer:
        """Return an answer with what is to be said of the host that the thread or run is on."""
        words = ""
        with suppress(JournalError):  # the command was taken, whatever is known of hosts
            host = await self._hosts.standing(workflow_id.partition("/")[0])
            words = silence(host, self._limit) if host else ""
        return (
            answer.model_copy(update={"message": f"{answer.message}; {words}"}) if words else answer
        )


SilentHostsDep = Annotated[SilentHosts, Depends()]
