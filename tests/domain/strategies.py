"""What a planner may propose, valid and not."""

from typing import Any

from hypothesis import strategies as st

from domain.plans.templates.template import PlanTemplate, VerificationDefaults
from domain.verification.steps import StepType, VerificationStep

PICK = st.integers(0, 1_000)

TEMPLATES = (
    PlanTemplate(name="plain"),
    PlanTemplate(
        name="strict",
        gate="auto",
        verification=VerificationDefaults(
            steps=(VerificationStep(type=StepType.COMMAND, command="lint"),), max_retries=1
        ),
    ),
)

steps = st.builds(
    lambda required, goes_on: {
        "type": "command",
        "command": "true",
        "required": required,
        "continueOnFail": goes_on,
    },
    st.booleans(),
    st.booleans(),
)


@st.composite
def plans(draw: st.DrawFn, *, size: int = 5) -> dict[str, Any]:
    """A valid plan whose order is not that of its dependencies."""
    count = draw(st.integers(0, size))
    names = draw(st.permutations([f"t-{n}" for n in range(1, count + 1)]))
    rank = draw(st.permutations(names))
    decisions = draw(st.integers(0, 2)) if count else 0
    tasks = [
        {
            "id": name,
            "title": name,
            "depends_on": draw(
                st.lists(st.sampled_from(rank[: rank.index(name)]), unique=True, max_size=2)
                if rank.index(name)
                else st.just([])
            ),
            "verification": draw(st.lists(steps, max_size=2)),
            "ports": draw(st.sampled_from([[], [], [{"id": "web"}]])),
            "max_retries": draw(st.sampled_from([None, 0, 1])),
            "gate": draw(st.sampled_from([None, "ask", "auto"])),
            "max_turns": draw(st.sampled_from([None, None, 2])),
            "decision_id": draw(st.sampled_from([None, *(f"d-{n}" for n in range(decisions))])),
        }
        for name in names
    ]
    return {
        "summary": "do it",
        "tasks": tasks,
        "decisions": [
            {
                "id": f"d-{n}",
                "question": "which?",
                "options": [{"label": "a"}, {"label": "b"}],
                "multi_select": draw(st.booleans()),
                "timeout_seconds": draw(st.sampled_from([None, 60])),
                "safe_default": draw(st.sampled_from([None, "a"])),
            }
            for n in range(decisions)
        ],
    }
