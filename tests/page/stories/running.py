"""Threads whose plan runs: every status that a task can have, and a conflict of two tasks."""

from tests.page.stories.place import Json, Place, call, fills, planned, rule, task, work

GOAL = "Build the checkout"
ROUTES = (
    '"""What the shop answers."""\n\nfrom shop.payments import charge\n\n\ndef index() -> str:\n'
    '    return "welcome"\n\n\ndef basket(user: str | None) -> tuple[int, str]:\n'
    '    if user is None:\n        return 403, "sign in"\n    return 200, f"the basket of {user}"\n\n\n'
    "def checkout(user: str, cents: int) -> tuple[int, str]:\n"
    '    """Charge the basket; the same key never charges twice."""\n'
    '    return 201, charge(user, cents, key=f"{user}-{cents}")\n'
)
PAYMENTS = (
    '"""Charges cards, each key once."""\n\n_charged: dict[str, str] = {}\n\n\n'
    "def charge(user: str, cents: int, key: str) -> str:\n"
    '    """Return the receipt."""\n'
    '    return _charged.setdefault(key, f"{user} paid {cents}")\n'
)
TESTS = (
    "import unittest\n\nfrom shop.routes import basket, checkout\n\n\n"
    "class Routes(unittest.TestCase):\n    def test_nobody_is_signed_in(self):\n"
    "        self.assertEqual(basket(None)[0], 401)\n\n    def test_a_basket_is_charged_once(self):\n"
    "        self.assertEqual(checkout('ada', 500), checkout('ada', 500))\n"
)
LOOK = {
    "id": "look",
    "header": "Checkout",
    "question": "Is the checkout one page, or three steps?",
    "options": [
        {"label": "one page", "description": "Less to click, more to load."},
        {"label": "three steps", "description": "Basket, address, payment."},
    ],
}
UNIT = {"type": "command", "label": "unit tests", "command": "python3 -m unittest -q"}
LINT = {"type": "command", "label": "lint", "command": "echo 'E501 line too long'; false"}
REVIEW = {"type": "review_agent", "label": "review", "prompt": "Is a card charged twice?"}
SLOW_TESTS = {
    "type": "command",
    "label": "integration tests",
    "command": 'for i in $(seq 20000); do echo "test_search_$i ... ok"; sleep 4; done',
    "timeout": 86_400_000,
}
WEB = [{"id": "web", "description": "the shop"}, {"id": "db", "description": "the test database"}]
NOTE = {
    "file": "shop/payments.py",
    "line": 3,
    "severity": "minor",
    "text": "The receipts are kept in memory: fine for now, gone at a restart.",
}
AMENDMENT = {
    "why": "The survey found that a card can be tried without end",
    "base_version": 1,
    "changes": [
        {"change": "add", "task": task("limiter", "Limit tries of a card", depends_on=["models"])},
        {"change": "add", "task": task("limits", "Test the limits", depends_on=["limiter"])},
        {
            "change": "modify",
            "task_id": "docs",
            "task": {"title": "Describe the checkout and its limits"},
        },
    ],
}


def checkout() -> Json:
    """Return a plan of nine tasks, whose agents leave each in another status."""
    tasks = [
        task("survey", "Read how orders work", mode="research", verification=fills("docs")),
        task("schema", "Give orders a table", depends_on=["survey"], area=["shop/schema.sql"]),
        task("models", "Write the order models", depends_on=["schema"], ports=WEB),
        task(
            "routes",
            "Add the checkout routes",
            description="Sign-in is asked first; **a card is never charged twice**.",
            depends_on=["survey"],
            gate="ask",
            area=["shop/**", "tests/**", "web/**"],
            verification=[UNIT, {**LINT, "required": False}, REVIEW],
        ),
        task("pages", "Draw the checkout", depends_on=["survey"], decision_id="look"),
        task("hooks", "Take the webhook", depends_on=["survey"], plan_approval="user"),
        task("search", "Find orders", depends_on=["survey"], verification=[UNIT, SLOW_TESTS]),
        task("mails", "Send receipts", depends_on=["survey"]),
        task(
            "docs", "Describe the checkout", mode="docs", depends_on=["models", "routes", "pages"]
        ),
    ]
    return {
        "goal": GOAL,
        "summary": "Survey, then tables, models, routes and pages side by side.",
        "approach": "One module each; the routes last.",
        "key_risk": "A card that is charged twice",
        "decisions": [LOOK],
        "tasks": tasks,
    }


def _checkout_work() -> list[Json]:
    server = "exec python3 -u -m http.server --bind 127.0.0.1 ${ports.web}"
    watcher = "while true; do date '+%T  \033[32mwatching\033[0m shop/'; sleep 5; done"
    plan = {"steps": ["Read the provider's signature", "Write the route", "Test replays"]}
    learned = call(
        "record_learning", learning="unexpected", text="Orders have UUID keys, not numbers."
    )
    told = call(
        "record_learning", learning="next", text="Run `make test` twice: the first fills a cache."
    )
    return [
        work("survey", {"run": "ls -R shop"}, {"write": "docs/orders.md", "text": "# Orders\n"}, learned, told),
        work("schema", {"write": "shop/schema.sql", "text": "CREATE TABLE orders (id TEXT);\n"}),
        work(
            "models",
            {"think": "The table has UUID keys, as the survey says."},
            {"write": "shop/orders.py", "text": '"""Orders."""\n\n\nclass Order:\n    id: str\n'},
            call("request_port", port_id="web"),
            call("request_port", port_id="db"),
            call("terminal_create", command=server, label="dev server", port="web"),
            call("terminal_create", command=watcher, label="watcher"),
            {"say": "The server runs. I go through the models one by one."},
            {"usage": {"input": 41_000, "output": 3_000}},
            {"run": "python3 -m unittest -v"},
            {"hang": True},
        ),
        *_routes_work(),
        rule({"prompt": "task-plan", "task": "hooks"}, call("propose_task_plan", plan=plan)),
        work("search", {"write": "shop/search.py", "text": '"""Finds orders."""\n'}),
        rule(
            {"task": "mails"},
            {"run": "env | grep -i smtp"},
            call("report_blocked", reason="There is no mail server: set SMTP_HOST, or say which to use."),
        ),
        rule({"prompt": "own-turn"}, {"say": "The mails wait for a server; the rest goes on."}),
        rule({"prompt": "coordinator"}, call("task_status"), {"say": "Two are done, five are under way."}),
    ]  # fmt: skip


def _routes_work() -> list[Json]:
    return [
        work(
            "routes",
            {"write": "shop/payments.py", "text": PAYMENTS},
            {"write": "shop/routes.py", "text": ROUTES},
            {"write": "tests/test_routes.py", "text": TESTS},
            {"edit": "web/button.css", "old": "#10b981", "new": "#3b82f6"},
            {"say": "Four files; I report it."},
            done="Checkout routes, a client that charges each key once, tests.",
        ),
        work(
            "routes",
            {"think": "401 means nobody is signed in, 403 that somebody may not."},
            {"edit": "shop/routes.py", "old": "403", "new": "401"},
            {"run": "python3 -m unittest -q"},
            prompt="verification-failed",
            done="The status is 401 now; all tests pass.",
        ),
        work(
            "routes",
            {"edit": "shop/payments.py", "old": "Charges cards", "new": "Charges a card"},
            prompt="gate-rejected",
            done="As you wish.",
        ),
        rule(
            {"prompt": "review"},
            call(
                "submit_review", verdict="approve", summary="A key charges once.", findings=[NOTE]
            ),
        ),
    ]


async def execution(place: Place) -> None:
    """A plan that runs, with a task in each status and an amendment that waits."""
    repository = place.repository("checkout", [planned(checkout()), *_checkout_work()])
    thread = await place.begin("execution", repository, GOAL, max_parallel_tasks=8)
    await place.seen(thread, "gate_opened", "routes")
    await place.seen(thread, "task_merged", number=2)
    await place.post(f"/threads/{thread}/messages", {"text": "How far are we?"})
    await place.post(f"/threads/{thread}/amendments", {"amendment": AMENDMENT})


async def conflict(place: Place) -> None:
    """Two tasks wrote the same lines; the second waits for a person."""
    greeting = "shop/greeting.py"
    plan = {
        "goal": "Greet customers",
        "summary": "Two greetings at once",
        "tasks": [task("formal", "Greet formally"), task("friendly", "Greet like a friend")],
    }
    held = place.folder.parent / "outside" / "conflict"
    held.unlink(missing_ok=True)
    rules = [
        planned(plan),
        work("formal", {"write": greeting, "text": 'HELLO = "Good day, {title} {name}"\n'}),
        work("friendly", {"wait": {"file": str(held)}}, {"write": greeting, "text": 'HELLO = "Hi {name}!"\n'}),
        rule({"prompt": "own-turn"}, {"say": "Both greetings are done, and want the same lines. Which one is for whom?"}),
    ]  # fmt: skip
    thread = await place.begin("conflict", place.repository("greetings", rules), "Greet customers")
    await place.seen(thread, "task_merged")
    held.touch()
    await place.seen(thread, "conflict_found")
