"""What a person decides, one scene each: something that waits, where it is answered, and how."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from playwright.async_api import BrowserContext, Route

from tests.page.stories.place import (
    PATIENCE_SECONDS,
    TICK_SECONDS,
    Json,
    Place,
    planned,
    rule,
    task,
    work,
)

FILE = "docs/greeting.md"
HERE = rule({}, {"say": "Here."})


class Asked(NamedTuple):
    """What waits: its entry of the inbox, the button that answers it there, and another's answer."""

    item: Json
    button: str
    path: str
    body: dict[str, Any]

    async def answer(self, ground: Place) -> None:
        """Answer it at another door."""
        await ground.post(self.path, self.body)


async def item_of(ground: Place, kind: str, **named: str) -> Json:
    """Wait until something is in the inbox."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            items = (await ground.get("/inbox"))["items"]
            for item in items:
                if item["kind"] == kind and all(item[key] == named[key] for key in named):
                    return item
            await asyncio.sleep(TICK_SECONDS)


async def only_inbox_of(context: BrowserContext, ground: Place, thread: str) -> None:
    """Have a browser see the inbox as it is where nothing but one thread waits."""

    async def only_this(route: Route) -> None:
        found = await ground.get("/inbox")
        items = [item for item in found["items"] if item["thread_id"] == thread]
        await route.fulfill(json={**found, "items": items})

    await context.route(re.compile("/v1/inbox$"), only_this)


def verdict(item: Json, request: Json) -> tuple[str, Json]:
    """Return where and how a request is approved."""
    said = {key: request[key] for key in ("request_id", "content_hash")}
    body = {**said, "choice": "approve", "is_acknowledged": True}
    return f"/threads/{item['thread_id']}/approvals", body


def greets(*tasks: Json, **more: Any) -> Json:
    """Return the rule of a planner of greetings."""
    plan = {"goal": "Greet", "summary": "One file.", "key_risk": "none", "tasks": list(tasks)}
    return planned({**plan, **more})


def writes(name: str = "greet", text: str = "Hello\n", *before: Json) -> Json:
    """Return the rule of a task that writes the greeting."""
    return work(name, *before, {"write": FILE, "text": text})


def greet(name: str = "greet", **more: Any) -> Json:
    """Return a task that a person looks at."""
    return task(name, f"Say {name}", gate="ask", verification=[], **more)


async def plan(ground: Place) -> Asked:
    """A plan that waits."""
    rules = [greets(greet()), writes(), HERE]
    thread = await ground.open("asked-plan", ground.repository("asked-plan", rules), "Greet")
    item = await item_of(ground, "plan", thread_id=thread)
    return Asked(item, "Approve", *verdict(item, item["requests"][0]))


async def gate(ground: Place) -> Asked:
    """A task's verified work."""
    rules = [greets(greet()), writes(), HERE]
    thread = await ground.begin("asked-gate", ground.repository("asked-gate", rules), "Greet")
    item = await item_of(ground, "gate", thread_id=thread)
    return Asked(item, "Approve", *verdict(item, item["request"]))


async def amendment(ground: Place) -> Asked:
    """A change of a plan that runs, on whose first task an agent is at work."""
    rules = [greets(greet()), work("greet", {"hang": True}), HERE]
    thread = await ground.begin("asked-more", ground.repository("asked-more", rules), "Greet")
    await ground.seen(thread, "prompt_sent", "greet/session-1")
    added = {"change": "add", "task": greet("more", depends_on=["greet"])}
    change = {"why": "One more is missing", "base_version": 1, "changes": [added]}
    await ground.post(f"/threads/{thread}/amendments", {"amendment": change})
    item = await item_of(ground, "amendment", thread_id=thread)
    return Asked(item, "Approve amendment", *verdict(item, item["amendment"]["request"]))


async def question(ground: Place) -> Asked:
    """An agent that asks whether it may."""
    rules = [rule({"prompt": "message"}, {"ask": "Ring the bell", "kind": "other"}), HERE]
    folder = ground.repository("asked-may", rules)
    thread = await ground.open("asked-may", folder, "Greet", is_planned=False)
    return _question(await item_of(ground, "question", thread_id=thread), "Once", "once")


def _question(item: Json, label: str, option: str) -> Asked:
    asked = item["question"]["question"]
    name = asked["question_id"].removeprefix(f"{item['thread_id']}/")
    said = {"option_id": option} if option else {"selections": [label]}
    body = {**said, "content_hash": asked["content_hash"]}
    return Asked(item, label, f"/threads/{item['thread_id']}/questions/{name}/answer", body)


Scene = Callable[[Place], Awaitable[Asked]]
SCENES: tuple[Scene, ...] = (gate, question, plan)
