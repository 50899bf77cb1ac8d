"""Threads that talk: a chat with all that a transcript can hold, questions, a limit, plan files."""

from tests.page.stories.place import Json, Place, call, rule

ANSWER = """## Why the buttons flicker

The style is set **twice**: once by `button.css`, once by the theme. See
[the CSS cascade](https://developer.mozilla.org/en-US/docs/Web/CSS/Cascade) for why the last one wins.

| file | sets | loaded |
| --- | --- | ---: |
| `web/button.css` | `#10b981` | 1st |
| `web/theme.css` | `#3b82f6` | 2nd, after 120 ms |

```css
.button {
  background: var(--button, #3b82f6); /* one place */
}
```

1. Take the colour from a variable.
2. Set the variable in the theme.
   - in light
   - in dark

> Nothing else reads the old colour.

![How it looked before](https://pictures.example/before.png)
"""
COLOURS = (
    r"printf '\033[32m✓\033[0m prices \033[2m(0.2 s)\033[0m\n\033[31m✗ basket\033[0m\n'; exit 1"
)
TODO = {
    "sessionUpdate": "plan",
    "entries": [
        {"content": "Find who sets the colour", "priority": "high", "status": "completed"},
        {"content": "Set it in one place", "priority": "high", "status": "in_progress"},
        {"content": "Look at all pages", "priority": "low", "status": "pending"},
    ],
}
COMMANDS = {
    "sessionUpdate": "available_commands_update",
    "availableCommands": [
        {"name": "review", "description": "Review the changes", "input": {"hint": "what to look at"}},
        {"name": "test", "description": "Run the tests"},
    ],
}  # fmt: skip
QUESTION = {
    "question": "Where shall the colours live?",
    "header": "Colours",
    "options": [
        {"label": "One theme file", "description": "Small, all pages load it."},
        {"label": "With each component", "description": "Nearer to its use, harder to change."},
    ],
}


def chat_rules() -> list[Json]:
    """Return what the agent of the chat does; `stream` and `flood` make it talk at length."""
    return [
        rule(
            {"prompt": "message", "text": "stream"},
            {"say": "A word more. ", "times": 400},
            {"say": "\n\nThat was all."},
        ),
        rule({"prompt": "message", "text": "wait"}, {"say": "I wait."}, {"hang": True}),
        rule(
            {"prompt": "message", "text": "blue"},
            {"update": COMMANDS},
            {"think": "Who sets the colour? The style sheet, or a theme that loads later."},
            {"run": "grep -rn background web"},
            {"update": TODO},
            {"edit": "web/button.css", "old": "#10b981", "new": "#3b82f6"},
            {"write": "web/theme.css", "text": ":root {\n  --button: #3b82f6;\n}\n"},
            {"run": COLOURS},
            {"say": ANSWER},
            {"usage": {"input": 13200, "output": 1800}},
        ),
        rule(
            {"prompt": "message"},
            {"say": "Done: the theme is the one place now."},
            {"usage": {"input": 15400, "output": 2100}},
        ),
    ]


async def chat(place: Place) -> None:
    """A thread that only talks, with two sessions."""
    repository = place.repository("shop", chat_rules())
    goal = "Make all buttons blue, and tell me why they flicker"
    thread = await place.open("chat", repository, goal, is_planned=False)
    await place.seen(thread, "turn_ended", "session-1")
    await place.post(f"/threads/{thread}/messages", {"text": "Thanks. Is there one place now?"})
    await place.post(f"/threads/{thread}/sessions", {"agent": "rival", "has_own_worktree": True})


async def permission(place: Place) -> None:
    """An agent asks whether it may deploy."""
    asks = {
        "ask": "Deploy to staging",
        "kind": "other",
        "with": {"command": "make deploy-staging"},
    }
    said = [{"say": "It is deployed.", "if": "allowed"}, {"say": "Left alone.", "if": "refused"}]
    repository = place.repository("deploys", [rule({}, {"say": "The tests pass."}, asks, *said)])
    thread = await place.open("permission", repository, "Deploy the blue buttons", is_planned=False)
    await place.seen(thread, "question_asked", "session-1")


async def question(place: Place) -> None:
    """An agent asks what only a person can decide, and edits that need a yes."""
    repository = place.repository("theme", [rule({}, call("ask_decision", **QUESTION))])
    await place.open("question", repository, "Sort the colours", is_planned=False)


async def suggestion(place: Place) -> None:
    """An agent suggests to plan first."""
    reason = "three parts of the shop change, and the order matters"
    suggest = call("suggest_planning", reason=reason, goal="Sell in three currencies")
    rules = [rule({"prompt": "message"}, suggest, {"say": "Larger change: shall I plan it first?"})]
    repository = place.repository("currencies", rules)
    await place.open("suggestion", repository, "Sell in euros, francs and crowns", is_planned=False)


async def limited(place: Place) -> None:
    """A session that waits for its provider: one of its own, or the others would wait, too."""
    rules = [rule({}, {"say": "I begin."}, {"limit": {"retry_after": 86_400}}, {"say": "Again."})]
    place.agent("limited", "Limited (scripted)", rules)
    goal, repository = "Write the release notes", place.repository("limits", rules)
    await place.open("limited", repository, goal, agent="limited", is_planned=False)


async def plan_files(place: Place) -> None:
    """A thread whose agent keeps plan files; an older set is archived."""
    plan = (
        "# Task plan: Move to UUIDs\n\n## Goal\n\nAll keys are UUIDs.\n\n## Phases\n\n"
        "### Phase 1: Survey\n\n- [x] List all tables\n- [x] Find foreign keys\n\n"
        "**Status:** complete\n\n### Phase 2: Migrate\n\n- [x] Write the migration\n"
        "- [ ] Run it on a copy\n\n**Status:** in_progress\n\n"
        "### Phase 3: Clean up\n\n- [ ] Drop the old keys\n\n**Status:** pending\n"
    )
    found = "# Findings\n\n## Tables\n\n| table | rows |\n| --- | ---: |\n| users | 12,400 |\n| orders | 98,000 |\n"
    rules = [
        rule(
            {"prompt": "message", "text": "Move"},
            call("init_plan", task_title="Survey the tables"),
            call("write_plan", which="task_plan", content="# Done\n\n**Status:** complete\n"),
            call("init_plan", task_title="Move to UUIDs"),
            call("write_plan", which="task_plan", content=plan),
            call("write_plan", which="findings", content=found),
            {"say": "The migration is written; I keep notes in the plan files."},
        )
    ]
    repository = place.repository("keys", rules)
    opened = {"is_planned": False, "plan_files": True}
    await place.open("plan_files", repository, "Move all keys to UUIDs", **opened)
