"""The agent's side of ACP v1: sessions, prompts, cancellation."""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from adapters.scripted_agent import scenario, state
from adapters.scripted_agent.play import Ended, Failed, Play
from adapters.scripted_agent.stdio import Stdio
from adapters.scripted_agent.tools import ToolClient
from adapters.tolerant import as_dict, as_list, as_text

NAMES = {"plan": "Plan", "build": "Build"}
MODES = {
    "currentModeId": "build",
    "availableModes": [{"id": value, "name": name} for value, name in NAMES.items()],
}
OPTION = {
    "id": "how",
    "name": "Mode",
    "category": "mode",
    "type": "select",
    "currentValue": "build",
    "options": [{"value": value, "name": name} for value, name in NAMES.items()],
}


def serve() -> None:
    """Serve the client of standard input and output until it closes."""
    script, trouble = scenario.Scenario(), ""
    try:
        script = scenario.load()
    except scenario.ScenarioError as error:
        trouble = str(error)
    _misstart(script)
    agent = Agent(Stdio(), script, trouble)
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        agent.run()


def _misstart(script: scenario.Scenario) -> None:
    start = script.start
    if start.get("ignore_term"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "stderr" in start:
        sys.stderr.write(str(start["stderr"]))
        sys.stderr.flush()
    if start.get("hang"):
        time.sleep(86_400)
    if "exit" in start:
        os._exit(int(start["exit"]))


class Agent:
    """One process: many sessions, each plays one turn at a time in an OS thread of its own."""

    def __init__(self, stdio: Stdio, script: scenario.Scenario, trouble: str) -> None:
        self._stdio = stdio
        self._script = script
        self._trouble = trouble
        self._states: dict[str, state.SessionState] = {}
        self._tools: dict[str, ToolClient | None] = {}
        self._plays: dict[str, Play] = {}
        self._options = _options(script.can.get("options"))
        self._handlers: dict[str, Callable[[Any, dict[str, Any]], None]] = {
            "initialize": self._initialize,
            "session/new": self._new,
            "session/load": self._load,
            "session/resume": self._resume,
            "session/list": self._list,
            "session/set_mode": self._set_mode,
            "session/set_config_option": self._set_option,
            "session/prompt": self._prompt,
        }

    def run(self) -> None:
        """Handle messages until the client closes."""
        for message in self._stdio.messages():
            params = as_dict(message.get("params"))
            handler = self._handlers.get(message["method"])
            if message["method"] == "session/cancel":
                self._cancel(params)
            elif "id" not in message:
                continue
            elif handler is None:
                self._stdio.refuse(message["id"], "Method not found", -32601)
            else:
                handler(message["id"], params)

    def _initialize(self, request_id: Any, _params: dict[str, Any]) -> None:
        if "initialize" in self._script.start:
            self._stdio.answer(request_id, self._script.start["initialize"])
            return
        can = self._script.can
        sessions: dict[str, Any] = {"resume": {}} if can.get("resume", True) else {}
        sessions |= {"list": {}} if can.get("list") else {}
        self._stdio.answer(
            request_id,
            {
                "protocolVersion": self._script.start.get("version", 1),
                "agentInfo": {"name": "treadle-scripted-agent", "version": "1"},
                "agentCapabilities": {
                    "loadSession": bool(can.get("load", True)),
                    "promptCapabilities": as_dict(can.get("prompt")),
                    "mcpCapabilities": {"http": bool(can.get("http", True)), "sse": False},
                    "sessionCapabilities": sessions,
                },
                "authMethods": [],
            },
        )

    def _new(self, request_id: Any, params: dict[str, Any]) -> None:
        opened = state.new_session()
        self._open(opened, params)
        self._stdio.answer(request_id, {"sessionId": opened.session_id, **self._offers})

    def _load(self, request_id: Any, params: dict[str, Any]) -> None:
        if self._script.can.get("replay"):
            text = {"type": "text", "text": "Something said before."}
            update = {"sessionUpdate": "agent_message_chunk", "content": text}
            session = {"sessionId": params["sessionId"], "update": update}
            self._stdio.notify("session/update", session)
        known = state.load_session(str(params.get("sessionId")))
        for kind, text in known.said if known and self._script.can.get("list") else ():
            update = {"sessionUpdate": kind, "content": {"type": "text", "text": text}}
            told = {"sessionId": params["sessionId"], "update": update}
            self._stdio.notify("session/update", told)
        self._resume(request_id, params)

    def _list(self, request_id: Any, params: dict[str, Any]) -> None:
        found = state.known_sessions(str(params.get("cwd")))
        rows = [
            {"sessionId": each.session_id, "cwd": each.cwd, "title": each.said[0][1]}
            for each in found
            if each.said
        ]
        self._stdio.answer(request_id, {"sessions": rows})

    def _resume(self, request_id: Any, params: dict[str, Any]) -> None:
        known = state.load_session(str(params.get("sessionId")))
        if known is None:
            self._stdio.refuse(request_id, "Resource not found: no such session", -32002)
            return
        self._open(known, params)
        self._stdio.answer(request_id, self._offers)

    def _open(self, opened: state.SessionState, params: dict[str, Any]) -> None:
        servers = as_list(params.get("mcpServers"))
        self._states[opened.session_id] = opened
        opened.cwd = opened.cwd or str(params.get("cwd"))
        self._tools[opened.session_id] = ToolClient(servers[0]) if servers else None

    @property
    def _offers(self) -> dict[str, Any]:
        return {"configOptions": self._options} if self._options else {"modes": MODES}

    def _set_mode(self, request_id: Any, params: dict[str, Any]) -> None:
        memory = self._states[str(params["sessionId"])]
        memory.values["mode"] = str(params.get("modeId"))
        self._stdio.answer(request_id, {})

    def _set_option(self, request_id: Any, params: dict[str, Any]) -> None:
        memory = self._states[str(params["sessionId"])]
        option = next((o for o in self._options if o["id"] == params.get("configId")), None)
        if option is None:
            self._stdio.refuse(request_id, "Invalid params: no such option", -32602)
            return
        option["currentValue"] = params.get("value")
        memory.values[str(option.get("category") or option["id"])] = str(params.get("value"))
        self._stdio.answer(request_id, {"configOptions": self._options})

    def _cancel(self, params: dict[str, Any]) -> None:
        if play := self._plays.get(str(params.get("sessionId"))):
            play.cancel()

    def _prompt(self, request_id: Any, params: dict[str, Any]) -> None:
        memory = self._states.get(str(params.get("sessionId")))
        if memory is None:
            self._stdio.refuse(request_id, "Resource not found: no such session", -32002)
            return
        if self._trouble:
            self._stdio.refuse(request_id, self._trouble)
            return
        play = Play(self._stdio, memory, self._tools[memory.session_id])
        self._plays[memory.session_id] = play
        parts = as_list(params.get("prompt"))
        text = "\n".join(as_text(part.get("text")) for part in parts if "text" in part)
        memory.said.append(("user_message_chunk", text))
        memory.values["blocks"] = " ".join(as_text(part.get("type")) for part in parts)
        threading.Thread(target=self._turn, args=(request_id, play, text), daemon=True).start()

    def _turn(self, request_id: Any, play: Play, text: str) -> None:
        try:
            self._choose(play, text)
            play.run()
            self._stdio.answer(request_id, {"stopReason": "end_turn", **play.usage})
        except Ended as end:
            self._stdio.answer(request_id, {"stopReason": str(end), **play.usage})
        except Failed as failure:
            message, *data = failure.args
            self._stdio.refuse(request_id, message, data=data[0] if data else None)

    def _choose(self, play: Play, text: str) -> None:
        memory = play.memory
        said = scenario.read_prompt(text)
        if not memory.has_greeted:
            memory.has_greeted = True
            # a program reads the answer to a flow's question: it must be the whole message
            is_read = said.kind.startswith("flow-question")
            play.say(
                f"I am Treadle's scripted agent: I play the scenario {self._script.name!r} "
                "and ask no model.\n",
                "agent_thought_chunk" if is_read else "agent_message_chunk",
            )
        layers = [said, *scenario.repeated_in(said)]
        asked, is_bare = layers[-1], len(layers) == 1
        is_known = is_bare or asked.text.strip() == memory.asked
        if said.kind == "interrupted" and is_known and memory.steps:
            play.say(f"Interrupted: {memory.done} of {len(memory.steps)} steps are done.\n")
            return
        _remember(memory, layers)
        rule = self._rule_for(memory, layers)
        if rule is None:
            play.say(f"No rule of the scenario matches this prompt ({asked.kind}).\n")
            memory.begin([])
            return
        hit = memory.hits.get(rule.name, 0)
        memory.hits[rule.name] = hit + 1
        memory.begin(rule.turns[min(hit, len(rule.turns) - 1)])

    def _rule_for(
        self, memory: state.SessionState, layers: list[scenario.ReceivedPrompt]
    ) -> scenario.Rule | None:
        """Return the rule of what is asked, or one that names what goes around it in a lost session."""
        facts = (memory.role, memory.task, memory.title)
        compacted = next((layer for layer in layers if layer.kind == "compacted"), layers[-1])
        around = self._script.rule_for(compacted, *facts)
        if around is not None and "prompt" in around.when:
            return around
        return self._script.rule_for(layers[-1], *facts) or around


def _options(offered: Any) -> list[dict[str, Any]]:
    """Return the config options that the scenario offers: its own, or `true` for the mode alone."""
    return [dict(option) for option in as_list(offered) or ([OPTION] if offered else [])]


def _remember(memory: state.SessionState, layers: list[scenario.ReceivedPrompt]) -> None:
    memory.asked = layers[-1].text.strip()
    for said in layers:
        memory.role = scenario.ROLES.get(said.kind, memory.role)
        if said.task is not None:
            memory.task, memory.title = said.task, memory.title or said.title
