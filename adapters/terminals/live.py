"""One terminal whose process was started: its output as it comes, and its end."""

import asyncio
import codecs
import re
import signal

from adapters.processes.children import Child
from adapters.redaction import Redactor
from adapters.terminals.recorder import TerminalRecorder
from adapters.terminals.ring import Ring
from domain.agents.terminals import Terminal, TerminalOutput, TerminalStatus
from domain.recipes.services import ServiceRun

BYTES_PER_SECOND = 4 << 20
"""What is read of a process that never stops talking; it waits with the rest."""

CHUNK_BYTES = 64 << 10
_SIGNAL_BASE = 128
_LINE_END = re.compile(r"(?<!\r)\r+\n")
"""A terminal puts a carriage return before every line feed, also where a program did."""


class LiveTerminal:
    """A terminal's process. `ended` is done once the end is in the journal; it holds the terminal."""

    def __init__(
        self, terminal: Terminal, child: Child, recorder: TerminalRecorder, redactor: Redactor
    ) -> None:
        self._terminal = terminal
        self._child = child
        self._recorder = recorder
        self._redactor = redactor
        self._ring = Ring()
        self._rest = ""
        self._return = ""
        self._note = ""
        self.ended: asyncio.Task[Terminal] = asyncio.create_task(self._keep())

    @property
    def terminal(self) -> Terminal:
        """The terminal as it is now."""
        return self._terminal

    def settle(self, service: ServiceRun) -> Terminal:
        """Take in how the service stands that it runs."""
        self._terminal = self._terminal.model_copy(update={"service": service})
        return self._terminal

    def output(self, since: int, limit_bytes: int) -> TerminalOutput:
        """Return what it has said since a position."""
        text, skipped = self._ring.since(since, limit_bytes)
        return TerminalOutput(
            terminal=self._terminal, text=text, position=self._ring.end, skipped=max(0, skipped)
        )

    async def wait(self, seconds: float) -> Terminal:
        """Wait for the end, at most so long."""
        await asyncio.wait({self.ended}, timeout=seconds)
        return self._terminal

    async def stop(self, note: str) -> Terminal:
        """End the process with all below it; one that has exited keeps its own end."""
        if self._terminal.is_running and not self._note:
            self._note = note
        await self._child.stop()
        return await asyncio.shield(self.ended)

    async def _keep(self) -> Terminal:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while chunk := await self._child.stdout.read(CHUNK_BYTES):
            self._receive(decoder.decode(chunk))
            await asyncio.sleep(len(chunk) / BYTES_PER_SECOND)
        returncode = await self._child.wait()
        self._receive(decoder.decode(b"", final=True))
        self._publish(self._redactor.text(self._rest) + self._return)
        number = _signal_of(returncode)
        end = {"exit_code": None if returncode < 0 else returncode, "signal": number}
        changes = {"status": TerminalStatus.EXITED, "note": self._note, **end}
        self._terminal = self._terminal.model_copy(update=changes)
        await self._recorder.end(self._terminal)
        return self._terminal

    def _receive(self, text: str) -> None:
        """Take output in, its lines ended as in files.

        A carriage return at its end waits, and what may be the beginning of a secret.
        """
        text = self._return + text
        self._return = "\r" if text.endswith("\r") else ""
        lines = _LINE_END.sub("\n", text.rstrip("\r"))
        ready, self._rest = self._redactor.settled(self._rest + lines)
        self._publish(ready)

    def _publish(self, text: str) -> None:
        if text:
            self._ring.add(text)
            self._recorder.write(text)


def _signal_of(returncode: int) -> int | None:
    """Return the signal that ended a process; a shell and a namespace tell it as 128 + n."""
    number = -returncode if returncode < 0 else returncode - _SIGNAL_BASE
    return number if number in signal.valid_signals() else None
