"""Plays the steps of one turn: what an agent says and does, and how it misbehaves."""

import json
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from adapters.scripted_agent.asking import ask_all, call_client
from adapters.scripted_agent.scenario import ACTS, Step
from adapters.scripted_agent.state import SessionState
from adapters.scripted_agent.stdio import Stdio
from adapters.scripted_agent.tools import ServerGoneError, ToolClient, ToolError
from adapters.tolerant import as_dict, as_list

POLL_SECONDS = 0.02
OUTPUT_TAIL, CHUNK_BYTES = 8192, 1 << 20
GARBAGE = (b"this is not JSON", b"null", b"[1, 2]", b"123", b'{"jsonrpc": "2.0"', b"\xff\xfe")


class Ended(Exception):  # noqa: N818  (not an error: the turn's stop reason)
    """The turn is over; the text is the stop reason."""


class Failed(Exception):  # noqa: N818  (a JSON-RPC error that the scenario asks for)
    """The prompt is answered with this error: its message, and its data where it has any."""


class Play:
    """One turn of one session. Each finished step is remembered before the next begins."""

    def __init__(self, stdio: Stdio, memory: SessionState, tools: ToolClient | None) -> None:
        self.memory = memory
        self.usage: dict[str, Any] = {}
        self._stdio = stdio
        self._tools = tools
        self._cancelled = threading.Event()
        self._is_deaf = False
        self._sent = 0
        self._command: Any = None

    def cancel(self) -> None:
        """Stop the turn, and the command that it runs."""
        if not self._is_deaf:
            self._cancelled.set()
            self._kill_command()

    def run(self) -> None:
        """Play what is left of the turn.

        Raises:
            Ended: Cancelled, or a step ended the turn.
            Failed: A step answers with an error.
        """
        while self.memory.is_cut_off:
            if self._cancelled.is_set():
                raise Ended("cancelled")
            step = self.memory.steps[self.memory.done]
            for _ in range(int(step.get("times", 1))):
                if self._is_wanted(step):
                    self._act(step)
            if self._cancelled.is_set():
                raise Ended("cancelled")
            self.memory.finish_step()

    def say(self, text: str, kind: str = "agent_message_chunk") -> None:
        """Say a text, and remember it."""
        self.memory.said.append((kind, text))
        self._update({"sessionUpdate": kind, "content": {"type": "text", "text": text}})

    def _is_wanted(self, step: Step) -> bool:
        if "unless" in step and self._path(step["unless"]).exists():
            return False
        return "if" not in step or self.memory.values.get("answer") == step["if"]

    def _act(self, step: Step) -> None:
        name = next(name for name in step if name in ACTS)
        act: Callable[[Any, Step], None] = getattr(self, f"_do_{name}")
        act(step[name], step)

    def _update(self, update: dict[str, Any]) -> None:
        params = {"sessionId": self.memory.session_id, "update": update}
        self._stdio.notify("session/update", params)

    def _text(self, value: Any) -> str:
        values = {"task": self.memory.task or "", "cwd": str(Path.cwd()), **self.memory.values}
        return re.sub(r"\$\{(\w+)\}", lambda m: values.get(m[1], m[0]), str(value))

    def _path(self, value: Any) -> Path:
        return Path.cwd() / self._text(value)

    def _call_id(self) -> str:
        return f"{self.memory.session_id}-{sum(self.memory.hits.values())}-{self.memory.done}"

    def _begin(self, title: str, kind: str, raw: dict[str, Any], path: Path | None = None) -> None:
        places = [] if path is None else [{"path": str(path)}]
        self._update(
            {
                "sessionUpdate": "tool_call",
                "toolCallId": self._call_id(),
                "title": title,
                "kind": kind,
                "status": "in_progress",
                "locations": places,
                "rawInput": raw,
            }
        )

    def _end(self, content: dict[str, Any], *, is_failed: bool = False) -> None:
        self._update(
            {
                "sessionUpdate": "tool_call_update",
                "toolCallId": self._call_id(),
                "status": "failed" if is_failed else "completed",
                "content": [content],
            }
        )

    def _do_say(self, text: Any, _step: Step) -> None:
        self.say(self._text(text))

    def _do_think(self, text: Any, _step: Step) -> None:
        self.say(self._text(text), "agent_thought_chunk")

    def _do_update(self, update: Any, _step: Step) -> None:
        self._update(update)

    def _do_write(self, name: Any, step: Step) -> None:
        self._change(self._path(name), f"Write {name}", lambda _: self._text(step.get("text", "")))

    def _do_edit(self, name: Any, step: Step) -> None:
        old, new = self._text(step.get("old", "")), self._text(step.get("new", ""))
        self._change(
            self._path(name),
            f"Edit {name}",
            lambda text: text if old not in text and new in text else text.replace(old, new, 1),
        )

    def _change(self, path: Path, title: str, change: Callable[[str], str]) -> None:
        self._begin(title, "edit", {"path": str(path)}, path)
        before = path.read_text() if path.is_file() else ""
        done = {"type": "diff", "path": str(path), "oldText": before, "newText": change(before)}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(done["newText"])
            self._end(done)
        except OSError as error:  # a sandbox that only reads: other agents go on, too
            self._end(_content(f"could not write: {error.strerror}"), is_failed=True)

    def _do_delete(self, name: Any, _step: Step) -> None:
        path = self._path(name)
        self._begin(f"Delete {name}", "delete", {"path": str(path)}, path)
        path.unlink(missing_ok=True)
        self._end(_content("deleted"))

    def _do_run(self, command: Any, step: Step) -> None:
        import subprocess
        import tempfile

        line = self._text(command)
        self._begin(line, "execute", {"command": line})
        with tempfile.TemporaryFile() as output:  # a pipe would wait for what runs on behind
            self._command = subprocess.Popen(  # noqa: S602  (a scenario's commands are shell lines)
                line,
                shell=True,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                code = self._command.wait(float(step.get("timeout", 600)))
            except subprocess.TimeoutExpired:
                self._kill_command()
                code = self._command.wait()
            size = output.seek(0, os.SEEK_END)
            output.seek(max(0, size - OUTPUT_TAIL))
            tail = output.read().decode(errors="replace")
        self._end(_content(f"{tail}\nexit code {code}"), is_failed=code != 0)

    def _kill_command(self) -> None:
        if self._command is not None and self._command.poll() is None:
            os.killpg(self._command.pid, signal.SIGKILL)

    def _do_call(self, name: Any, step: Step) -> None:
        arguments = json.loads(self._text(json.dumps(as_dict(step.get("with")))))
        self._begin(f"treadle: {name}", "other", arguments)
        try:
            if self._tools is None:
                raise ToolError("this session was given no tool server")  # noqa: TRY301
            answer, is_error = self._tools.call(str(name), arguments)
        except ServerGoneError as error:
            sys.stderr.write(f"{error}\n")
            os._exit(1)  # the step is not done: who opens the session again gets it played again
        except ToolError as error:
            answer, is_error = str(error), True
        self._save(step, answer)
        self._end(_content(answer), is_failed=is_error)

    def _save(self, step: Step, answer: str) -> None:
        for value, pattern in as_dict(step.get("save")).items():
            if found := re.search(str(pattern), answer):
                self.memory.values[value] = found[found.lastindex or 0]

    def _do_client(self, method: Any, step: Step) -> None:
        params = json.loads(self._text(json.dumps(as_dict(step.get("with")))))
        self._save(step, call_client(self._stdio, self.memory.session_id, str(method), params))

    def _do_ask(self, titles: Any, step: Step) -> None:
        kind, raw = step.get("kind", "execute"), step.get("with")
        calls: list[dict[str, Any]] = []
        for number, title in enumerate(as_list(titles) or [titles]):
            name = self._call_id() if number == 0 else f"{self._call_id()}-{number}"
            details = {} if raw is None else {"rawInput": raw}
            calls.append({"toolCallId": name, "title": self._text(title), "kind": kind, **details})
            self._update({"sessionUpdate": "tool_call", "status": "pending", **calls[-1]})
        options = step.get("options")
        answer, option = ask_all(self._stdio, self.memory.session_id, calls, options)
        self.memory.values |= {"answer": answer, "option": option}
        self._end(_content(answer))

    def _do_wait(self, what: Any, _step: Step) -> None:
        if not isinstance(what, dict):
            self._pause(float(what))
            return
        path = self._path(what["file"])  # pyright: ignore[reportUnknownArgumentType]  (YAML)
        while not path.exists() and not self._cancelled.is_set():
            self._pause(POLL_SECONDS)

    def _pause(self, seconds: float) -> None:
        self._cancelled.wait(seconds)

    def _do_hang(self, _value: Any, _step: Step) -> None:
        self._cancelled.wait()

    def _do_ignore_cancel(self, value: Any, _step: Step) -> None:
        self._is_deaf = bool(value)

    def _do_stop(self, reason: Any, _step: Step) -> None:
        self.memory.finish_step()
        raise Ended(str(reason))

    def _do_error(self, message: Any, _step: Step) -> None:
        self.memory.finish_step()
        raise Failed(self._text(message))

    def _do_limit(self, what: Any, _step: Step) -> None:
        self.memory.finish_step()
        details = {"retry-after": as_dict(what).get("retry_after")}
        data = {"statusCode": 429, "responseHeaders": details} if isinstance(what, dict) else None
        raise Failed("Too Many Requests" if data else self._text(what), data)

    def _do_exit(self, code: Any, _step: Step) -> None:
        self.memory.finish_step()
        if int(code) < 0:
            signal.raise_signal(-int(code))  # to this thread: another takes its time
        os._exit(int(code))

    def _do_usage(self, usage: Any, _step: Step) -> None:
        counts = {f"{name}Tokens": int(count) for name, count in usage.items()}
        self.usage = {"usage": {"totalTokens": sum(counts.values()), **counts}}

    def _do_garbage(self, what: Any, _step: Step) -> None:
        if not isinstance(what, dict):
            for number in range(int(what)):
                self._stdio.write(GARBAGE[number % len(GARBAGE)] + b"\n")
            return
        kind = as_dict(what)
        for chunk in _chunks(int(kind["bytes"])):
            self._stdio.write(chunk)
        self._stdio.write(b"" if kind.get("open") else b"\n")

    def _do_send(self, message: Any, _step: Step) -> None:
        self._sent += 1
        line = message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message})
        values = {"session": self.memory.session_id, "n": str(self._sent)}
        line = re.sub(r"\$\{(session|n)\}", lambda m: values[m[1]], line)
        self._stdio.write(line.encode("utf-8", "surrogateescape") + b"\n")

    def _do_stop_reading(self, _value: Any, _step: Step) -> None:
        self._stdio.is_reading = False

    def _do_stderr(self, what: Any, _step: Step) -> None:
        for chunk in _chunks(what) if isinstance(what, int) else [self._text(what).encode()]:
            sys.stderr.buffer.write(chunk)
        sys.stderr.flush()


def _chunks(count_bytes: int) -> Iterator[bytes]:
    while count_bytes > 0:
        yield b"x" * min(count_bytes, CHUNK_BYTES)
        count_bytes -= CHUNK_BYTES


def _content(text: str) -> dict[str, Any]:
    return {"type": "content", "content": {"type": "text", "text": text}}
