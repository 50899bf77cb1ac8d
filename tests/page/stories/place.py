"""Where stories are put: an engine's API, and a folder for their repositories."""

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import yaml

from tests.e2e.job import is_answered

PATIENCE_SECONDS = 120
TICK_SECONDS = 0.25
AUTHOR = ("-c", "user.name=Mira", "-c", "user.email=mira@treadle.invalid")
AGENT = Path(__file__).parents[3] / "templates" / "agents" / "scripted.yaml"
APP = {
    "README.md": "# Shop\n\nA small shop. `make test` runs its tests.\n",
    "shop/__init__.py": '"""A small shop."""\n',
    "shop/prices.py": (
        '"""Prices, in cents."""\n\nVAT = 19\n\n\ndef gross(net: int) -> int:\n'
        '    """Add the tax."""\n    return net + net * VAT // 100\n'
    ),
    "shop/routes.py": (
        '"""What the shop answers."""\n\n\ndef index() -> str:\n    return "welcome"\n\n\n'
        'def basket(user: str | None) -> str:\n    if user is None:\n        return "sign in"\n'
        '    return f"the basket of {user}"\n'
    ),
    "tests/__init__.py": "",
    "tests/test_prices.py": (
        "import unittest\n\nfrom shop.prices import gross\n\n\nclass Prices(unittest.TestCase):\n"
        "    def test_tax(self):\n        self.assertEqual(gross(100), 119)\n"
    ),
    "web/button.css": ".button {\n  background: #10b981;\n  color: white;\n}\n",
}

Json = dict[str, Any]


class Place:
    """An engine that stories are put on; remembers which thread or run is which story's."""

    def __init__(self, http: httpx.AsyncClient, folder: Path, config: Path) -> None:
        self.http = http
        self.folder = folder
        self.config = config
        self.names: dict[str, str] = {}
        self._index = folder / "stories.json"
        if self._index.exists():
            self.names = json.loads(self._index.read_text())

    def remember(self, story: str, name: str) -> None:
        """Write down which thread or run a story is."""
        self.names[story] = name
        self._index.write_text(json.dumps(self.names, indent=2) + "\n")

    def repository(self, name: str, rules: list[Json], files: dict[str, str] | None = None) -> str:
        """Make a repository of one commit, whose agent plays these rules."""
        path = self.folder / name
        for number in range(2, 100):
            if not path.exists():
                break
            path = self.folder / f"{name}-{number}"
        for file, text in {**APP, **(files or {})}.items():
            (path / file).parent.mkdir(parents=True, exist_ok=True)
            (path / file).write_text(text)
        (path / ".treadle").mkdir(exist_ok=True)
        script = yaml.safe_dump({"name": name, "rules": rules}, sort_keys=False)
        (path / ".treadle" / "scenario.yaml").write_text(script)
        for arguments in (
            ("init", "--quiet", "--initial-branch", "main"),
            ("add", "--all"),
            (*AUTHOR, "commit", "--quiet", "--message", "Begin the shop"),
        ):
            subprocess.run(["git", *arguments], cwd=path, check=True)
        return str(path)

    def agent(self, name: str, title: str, rules: list[Json]) -> None:
        """Add an agent that plays a scenario of its own, wherever it works."""
        folder = self.config / "agents"
        folder.mkdir(parents=True, exist_ok=True)
        script = self.folder / f"{name}.scenario.yaml"  # no agent may read the configuration
        script.write_text(yaml.safe_dump({"name": name, "rules": rules}, sort_keys=False))
        profile = yaml.safe_load(AGENT.read_text())
        profile["set_environment"] |= {"TREADLE_SCENARIO": str(script)}
        own = {**profile, "name": name, "title": title}
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(own, sort_keys=False))

    async def post(self, path: str, body: Json | None = None) -> Json:
        """Post to the API; what is not confirmed of a thread is sent again under its id, as clients do."""
        named = {"command_id": uuid4().hex} if path.startswith("/threads") else {}
        async with asyncio.timeout(PATIENCE_SECONDS):
            answer = await self.http.post(f"/v1{path}", json={**named, **(body or {})})
            while named and not is_answered(answer):
                answer = await self.http.post(f"/v1{path}", json={**named, **(body or {})})
        assert answer.is_success, f"{path}: {answer.text}"
        return answer.json()

    async def get(self, path: str) -> Json:
        """Read from the API."""
        answer = await self.http.get(f"/v1{path}")
        assert answer.is_success, f"{path}: {answer.text}"
        return answer.json()

    async def open(self, story: str, repository: str, goal: str, **more: Any) -> str:
        """Open a thread of a story."""
        body = {"repository": repository, "goal": goal, "agent": "scripted"}
        body |= {"is_planned": True, **more}
        thread = (await self.post("/threads", body))["thread_id"]
        self.remember(story, thread)
        return thread

    async def seen(self, thread: str, kind: str, under: str = "", *, number: int = 1) -> Json:
        """Wait for the n-th event of a kind in a stream of a thread, which may not be there yet."""
        stream, after, left = f"{thread}/{under}".rstrip("/"), 0, number
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                answer = await self.http.get(f"/v1/threads/{thread}/events?after={after}")
                page = answer.json() if answer.is_success else {"events": [], "after": after}
                after = page["after"]
                for row in page["events"]:
                    event = row["event"]
                    if event["stream"] == stream and event["body"]["kind"] == kind:
                        left -= 1
                        if left == 0:
                            return event["body"]
                if not page["events"]:
                    await asyncio.sleep(TICK_SECONDS)

    async def answer(self, thread: str, asked: Json, **more: Any) -> None:
        """Approve what an event asks, or what `more` says."""
        request = asked["request"]
        body = {key: request[key] for key in ("request_id", "content_hash")}
        said = {**body, "choice": "approve", "is_acknowledged": True, **more}
        await self.post(f"/threads/{thread}/approvals", said)

    async def begin(self, story: str, repository: str, goal: str, **more: Any) -> str:
        """Open a thread and approve its plan."""
        thread = await self.open(story, repository, goal, **more)
        await self.answer(thread, await self.seen(thread, "plan_proposed"))
        return thread


def rule(when: Json, *steps: Json) -> Json:
    """Return a rule of a scenario."""
    return {"when": when, "steps": list(steps)}


def call(tool: str, **arguments: Any) -> Json:
    """Return a step that calls a tool of Treadle."""
    return {"call": tool, "with": arguments}


def planned(plan: Json, *before: Json) -> Json:
    """Return the rule of a planner that proposes a plan, also when it is sent back."""
    kinds = ["planner", "planner-feedback", "plan-missing", "combine-plans"]
    return rule({"prompt": kinds}, *before, call("propose_plan", plan=plan))


def task(name: str, title: str, **more: Any) -> Json:
    """Return a task of a plan, verified by one command unless `more` says otherwise."""
    steps = [{"type": "command", "label": "unit tests", "command": "python3 -m unittest -q"}]
    return {"id": name, "title": title, "gate": "auto", "verification": steps, **more}


def fills(folder: str) -> list[Json]:
    """Return the verification of a task that only has to put something into a folder."""
    return [{"type": "command", "label": "something there", "command": f"ls {folder}/*"}]


def work(name: str, *steps: Json, prompt: str = "task", done: str = "It is done.") -> Json:
    """Return the rule of a task's agent, which reports done at the end."""
    return rule({"task": name, "prompt": prompt}, *steps, call("report_done", summary=done))
