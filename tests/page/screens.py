"""The screens of the page, each with something on it: their names, addresses, and what shows them."""

from typing import NamedTuple

from tests.page.stories.place import Place


class Screen(NamedTuple):
    """A screen: `address` has names of stories in braces, `shows` is a text that it has when ready."""

    name: str
    address: str
    shows: str


SCREENS = (
    Screen("inbox", "/", "Greet customers"),
    Screen("threads", "/threads", " ago"),  # rows are virtual, and whose comes first is chance
    Screen("board", "/threads?view=board", "In review"),
    Screen("new-thread", "/new", ""),
    Screen("chat", "/threads/{chat}?session=session-1", "Why the buttons flicker"),
    Screen("permission", "/threads/{permission}", "Deploy to staging"),
    Screen("suggestion", "/threads/{suggestion}", "three parts of the shop change"),
    Screen("plan", "/threads/{one_plan}", "Take payments by card"),
    Screen("rivals", "/threads/{rival_plans}", "PCI compliance"),
    Screen("compare", "/threads/{rival_plans}/compare", "PCI compliance"),
    Screen("warned-plan", "/threads/{warned_plan}", "Move the old orders"),
    Screen("graph", "/threads/{execution}?panel=graph", "Write the order models"),
    Screen("table", "/threads/{execution}?panel=table", "Write the order models"),
    Screen("timeline", "/threads/{execution}?panel=timeline", "Write the order models"),
    Screen("task-running", "/threads/{execution}/tasks/models", "Write the order models"),
    Screen("terminals", "/threads/{execution}/tasks/models?tab=terminals", "dev server"),
    Screen("gate", "/threads/{execution}/tasks/routes", "Add the checkout routes"),
    Screen("verification", "/threads/{execution}/tasks/routes?tab=verification", "lint"),
    Screen("files", "/threads/{execution}/tasks/routes?tab=files", "shop/payments.py"),
    Screen("review", "/threads/{execution}/tasks/routes/review", "shop/payments.py"),
    Screen("conflict", "/threads/{conflict}", "shop/greeting.py"),
    Screen("failure", "/threads/{failure}/tasks/rounding", "Round taxes up"),
    Screen("completed", "/threads/{completed}", "Keep baskets"),
    Screen("children", "/threads/{family}", "Who may do what"),
    Screen("plan-files", "/threads/{plan_files}/plan-files/task_plan", "Move to UUIDs"),
    Screen("flows", "/flows?repository={flow_runs}", "nightly-triage"),
    Screen("flow", "/flows/nightly-triage?repository={flow_runs}", "Until all are sorted"),
    Screen("flow-run", "/flow-runs/{flow_completed}", "nightly-triage"),
    Screen("flow-question", "/flow-runs/{flow_waiting}", "Publish version 2.1?"),
    Screen("queue", "/queue", "Describe coupons"),
    Screen("schedules", "/schedules", "dependencies"),
    Screen("templates", "/templates", "default"),
    Screen("agents", "/agents", "Scripted agent"),
    Screen("agent", "/agents/scripted", "Status"),
    Screen("device", "/device", "The code that your terminal shows"),
    Screen("hosts", "/hosts", " at work, "),
    Screen("report", "/report", ""),
    Screen("learnings", "/learnings", "SQLite in WAL mode"),
    Screen("settings", "/settings", ""),
)


def address(screen: Screen, place: Place) -> str:
    """Return where a screen is on an engine with stories."""
    return screen.address.format_map(place.names)
