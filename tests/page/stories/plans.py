"""Threads that plan: one plan that waits, rivals of which one still works, revisions, warnings."""

from typing import Any

from tests.page.stories.place import Json, Place, planned, rule, task

GOAL = "Take payments by card"


def payments(approach: str, risk: str, *tasks: Json) -> Json:
    """Return a plan for payments."""
    return {
        "goal": GOAL,
        "summary": f"{approach}: a client, the routes, a webhook, and their tests.",
        "approach": approach,
        "considerations": [
            "PCI: no card number may touch our servers",
            "Idempotency keys, so that a retry never charges twice",
            "The webhook may come before the redirect",
        ],
        "key_risk": risk,
        "tasks": list(tasks),
    }


def _tasks(*more: Json) -> list[Json]:
    command = {"type": "command", "label": "unit tests", "command": "python3 -m unittest -q"}
    there = {"type": "file_exists", "label": "the module is there", "path": "shop/payments.py"}
    port: Json = {"ports": [{"id": "api", "description": "the shop's server"}]}
    return [
        task("survey", "Read how orders work today", mode="research", area=["docs/orders.md"]),
        task(
            "client",
            "Write the client of the payment provider",
            description="A thin client with **idempotency keys**; no card data passes through it.",
            area=["shop/payments.py", "tests/test_payments.py"],
            depends_on=["survey"],
            verification=[there, command],
            gate="ask",
        ),
        task("routes", "Add the checkout routes", depends_on=["client"], area=["shop/routes.py"], **port),
        task("webhook", "Take the provider's webhook", depends_on=["client"], area=["shop/hooks.py"], **port),
        task("docs", "Describe payments", mode="docs", depends_on=["routes", "webhook"]),
        *more,
    ]  # fmt: skip


async def one_plan(place: Place) -> None:
    """One plan waits, in its second revision."""
    first = payments("The provider's SDK", "Lock-in to one provider", *_tasks()[:4])
    limiter = task("limiter", "Limit how often a card is tried", depends_on=["routes"])
    second = payments("The provider's SDK, wrapped", "Lock-in to one provider", *_tasks(limiter))
    proposals = [[{"call": "propose_plan", "with": {"plan": plan}}] for plan in (first, second)]
    question = "Can it also limit retries?"
    rules = [
        {"when": {"prompt": "planner"}, "steps": [{"say": "I read the orders first."}, *proposals[0]]},
        {"when": {"prompt": "planner-feedback"}, "steps": proposals[1]},
    ]  # fmt: skip
    thread = await place.open("one_plan", place.repository("billing", rules), GOAL)
    asked = await place.seen(thread, "plan_proposed")
    await place.answer(thread, asked, choice="reject", feedback=question)
    await place.seen(thread, "plan_proposed", number=2)


def rivals(place: Place) -> None:
    """Add the agents that plan beside another: one at once, one never ends."""
    adapter = payments(
        "An adapter for any provider",
        "Abstraction before there are two providers",
        *_tasks()[:3],
        task("adapter", "Write the adapter", depends_on=["survey"], gate="ask"),
    )
    answers = rule({"prompt": "message"}, {"say": "I am another agent, at your service."})
    place.agent("rival", "Rival (scripted)", [planned(adapter, {"think": "Two."}), answers])
    slow = rule(
        {"prompt": "planner"}, {"say": "I look at every route."}, {"run": "ls shop"}, {"hang": True}
    )
    place.agent("slow", "Slow planner (scripted)", [slow])


async def rival_plans(place: Place) -> None:
    """Two plans compete, and a third planner still works."""
    direct = payments("The provider's SDK, directly", "PCI compliance", *_tasks())
    thread = await place.open("rival_plans", place.repository("payments", [planned(direct)]), GOAL)
    for agent in ("rival", "slow"):
        await place.post(f"/threads/{thread}/plans/planners", {"agent": agent})
    await place.seen(thread, "plan_proposed", number=2)


async def warned_plan(place: Place) -> None:
    """A plan that was fixed: it starts only when its warnings are acknowledged."""
    ring: dict[str, Any] = {
        "summary": "Round and round",
        "tasks": [
            task("import", "Import the old orders", depends_on=["export", "ghost"]),
            task("export", "Export the old orders", depends_on=["import"]),
        ],
    }
    repository = place.repository("orders", [planned(ring)])
    thread = await place.open("warned_plan", repository, "Move the old orders")
    await place.seen(thread, "plan_proposed")
