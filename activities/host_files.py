"""Reading the files of a host, and trusting them, for a person."""

import asyncio

from temporalio import activity

from domain.core.errors import TreadleError
from domain.hosts.file_calls import FileAnswer, FileCall
from domain.hosts.ports import HostFiles


class HostFileAnswers:
    """Answers on the host where the files are."""

    def __init__(self, files: HostFiles) -> None:
        self._files = files

    @activity.defn
    async def answer_file_call(self, call: FileCall) -> FileAnswer:
        """Carry out the question, or say why not; what is written is the same when it is written again."""
        try:
            return FileAnswer(content=await asyncio.to_thread(self._files.answer, call))
        except TreadleError as error:
            return FileAnswer(failure=error.message, error=error.type)
