"""What the agents do in the main job: two plans, a decision, a failing verification, a rework."""

from tests.page.stories.place import Json, Place, fills, planned, rule, task, work

GOAL = "Greet customers by name"
RIVAL = "thorough"
GREETING = 'def greet(name: str) -> str:\n    """Greet somebody."""\n    return "Hello " + nam\n'
TESTS = (
    "import unittest\n\nfrom shop.greeting import greet\n\n\nclass Greeting(unittest.TestCase):\n"
    '    def test_by_name(self):\n        self.assertEqual(greet("Ada"), "Hello Ada")\n'
)
TONE = {
    "id": "tone",
    "header": "Tone",
    "question": "How shall customers be greeted?",
    "options": [
        {"label": "formal", "description": "Good day"},
        {"label": "friendly", "description": "Hello"},
    ],
}
COMMENT = "What about people without a name?"
MENDED = 'return "Hello " + name'
REWORKED = 'return "Hello " + (name or "you")'


def plan(approach: str, risk: str, *more: Json) -> Json:
    """Return a plan of the main job."""
    greet = task(
        "greet", "Greet by name", decision_id="tone", gate="ask", area=["shop/greeting.py"]
    )
    note = task(
        "note",
        "Describe the greeting",
        mode="docs",
        depends_on=["greet"],
        verification=fills("docs"),
    )
    return {
        "goal": GOAL,
        "summary": f"{approach}: one function, tested.",
        "approach": approach,
        "key_risk": risk,
        "decisions": [TONE],
        "tasks": [greet, note, *more],
    }


def repository(ground: Place) -> str:
    """Make the repository of the main job, and the agent that plans beside its own."""
    more = task("measure", "Count greetings", depends_on=["greet"])
    ground.agent(RIVAL, "Thorough (scripted)", [planned(plan("A module", "Too much", more))])
    rules = [
        planned(plan("A function", "Nobody has a name")),
        work(
            "greet",
            {"write": "shop/greeting.py", "text": GREETING},
            {"write": "tests/test_greeting.py", "text": TESTS},
            done="Wrote greet.",
        ),
        work(
            "greet",
            {"edit": "shop/greeting.py", "old": "+ nam\n", "new": "+ name\n"},
            {"run": "python3 -m unittest -q"},
            prompt="verification-failed",
            done="Mended the name.",
        ),
        work(
            "greet",
            {"edit": "shop/greeting.py", "old": MENDED, "new": REWORKED},
            prompt="gate-rejected",
            done="People without a name are greeted, too.",
        ),
        work("note", {"write": "docs/greeting.md", "text": "# Greeting\n"}, done="Described."),
        rule({}, {"say": "I am here."}),
    ]
    return ground.repository("greeting", rules)
