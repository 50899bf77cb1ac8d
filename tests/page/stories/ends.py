"""Threads near their end: a failed task, one that is blocked, a completed plan, a family of threads."""

from tests.page.stories.place import Json, Place, call, fills, planned, rule, task, work

FAILS = {
    "type": "command",
    "label": "unit tests",
    "command": "echo 'FAIL: test_rounding'; echo 'AssertionError: 118 != 119'; exit 1",
}


async def failure(place: Place) -> None:
    """A task whose verification fails as often as it may."""
    tasks = [
        task("rates", "Keep the tax rates in a table"),
        task("rounding", "Round taxes up", verification=[FAILS], max_retries=1),
        task("report", "Print the taxes", depends_on=["rates", "rounding"]),
    ]
    plan = {"goal": "Fix the taxes", "summary": "A table, then rounding.", "tasks": tasks}
    rules = [
        planned(plan),
        work("rates", {"write": "shop/rates.py", "text": "RATES = {'DE': 19}\n"}),
        work("rounding", {"edit": "shop/prices.py", "old": "// 100", "new": "// 100 + 1"}),
        work(
            "rounding",
            {"think": "Off by one; I try another way."},
            {"write": "shop/rounding.py", "text": "UP = True\n"},
            prompt="verification-failed",
        ),
    ]
    thread = await place.begin("failure", place.repository("taxes", rules), "Fix the taxes")
    await place.seen(thread, "task_ended", "rounding")


async def blocked(place: Place) -> None:
    """A task that cannot go on without a person, in a thread that has nothing else to do."""
    plan = {
        "goal": "Publish the shop",
        "summary": "One step",
        "tasks": [task("host", "Rent a host")],
    }
    reason = "I have no account at a host. Tell me which one, or give me its key."
    rules = [planned(plan), rule({"task": "host"}, call("report_blocked", reason=reason))]
    await place.begin("blocked", place.repository("hosting", rules), "Publish the shop")


async def completed(place: Place) -> None:
    """A plan that ran to its end, with a decision and learnings."""
    where = {
        "id": "store",
        "header": "Store",
        "question": "Where are baskets kept?",
        "options": [{"label": "memory"}, {"label": "SQLite"}],
    }
    tasks = [
        task("store", "Keep baskets", decision_id="store"),
        task("clean", "Forget old baskets", depends_on=["store"]),
        task(
            "notes",
            "Describe baskets",
            mode="docs",
            depends_on=["store"],
            verification=fills("docs"),
        ),
    ]
    plan = {
        "goal": "Keep baskets",
        "summary": "Store, clean, describe.",
        "tasks": tasks,
        "decisions": [where],
    }
    learned = call(
        "record_learning", learning="worked", text="SQLite in WAL mode takes 2,000 writes a second."
    )
    rules = [
        planned(plan),
        work("store", {"write": "shop/store.py", "text": '"""Keeps baskets."""\n'}, learned, done="Baskets are kept."),
        work("clean", {"write": "shop/clean.py", "text": '"""Forgets."""\n'}, done="Old ones are forgotten."),
        work("notes", {"write": "docs/baskets.md", "text": "# Baskets\n"}, done="Described."),
    ]  # fmt: skip
    thread = await place.begin("completed", place.repository("baskets", rules), "Keep baskets")
    await place.seen(thread, "decision_asked")
    await place.post(f"/threads/{thread}/decisions/store", {"selections": "SQLite"})
    await place.seen(thread, "plan_completed")


def _planning(goal: str, *tasks: Json) -> Json:
    plan = {"goal": goal, "summary": goal, "tasks": list(tasks)}
    when = {"role": "planner", "prompt": "planner", "text": f"Goal\\n\\n{goal}"}
    return rule(when, call("propose_plan", plan=plan))


async def family(place: Place) -> None:
    """A plan whose parts are threads of their own: one done, one that waits for its plan's approval."""
    halves = [
        task("sign-in", "Sign in by OAuth", runs_as="thread"),
        task("keys", "API keys", runs_as="thread"),
        task("roles", "Roles for staff", depends_on=["sign-in"]),
    ]
    rules = [
        _planning("Sign in by OAuth", task("callback", "Write the callback")),
        _planning("API keys", task("issue", "Issue keys"), task("revoke", "Revoke keys")),
        _planning("Who may do what", *halves),
        work("callback", {"write": "shop/callback.py", "text": '"""The callback."""\n'}),
        work("roles", {"write": "shop/roles.py", "text": "ROLES = ('clerk', 'owner')\n"}),
    ]
    thread = await place.begin("family", place.repository("access", rules), "Who may do what")
    await place.seen(thread, "child_opened", number=2)
    children = (await place.get(f"/threads/{thread}"))["children"]
    first = next(child for child in children if child["task_id"] == "sign-in")["thread_id"]
    await place.answer(first, await place.seen(first, "plan_proposed"))
