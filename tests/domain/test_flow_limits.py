"""How large and how deep a flow may be, and that no JSON breaks its reading."""

from hypothesis import given
from hypothesis import strategies as st

from domain.flows.checks import compact_bytes, endless_loops
from domain.flows.definition import StepKind
from domain.flows.problems import FlowProblemsError
from domain.flows.reading import read_flow
from tests.domain.flow_lab import END, START, judge, llm, nested, problems, read


def test_loops_stand_in_each_other_sixteen_deep_at_most():
    deep = [llm(), judge()]
    for _ in range(16):
        deep = [nested(*deep)]
    flat = [START] * 17 + [llm()] + [END] * 17

    assert read(*deep).total == 18
    assert problems({"steps": [nested(*deep)]})[0][2] == "loop_mismatch"
    assert problems({"steps": flat})[0] == (16, "steps[16].type", "loop_mismatch")
    for _ in range(5000):
        deep = [nested(*deep)]
    assert problems({"steps": deep})[0][0] == 16


def test_a_flow_has_limits():
    many = {"steps": [llm()] * 10_000}
    wide = {"steps": [llm("x" * 1000) for _ in range(100)]}
    heavy = {"steps": [llm("x" * 59_000) for _ in range(80)]}
    long = {"steps": [llm(), llm("x" * 60_001)]}
    talks = {"steps": [{**llm(), "identifier": str(number)} for number in range(101)]}

    assert problems(many) == [(None, "steps[1000]", "too_large")]
    assert problems(wide) == problems(heavy) == problems(talks) == [(None, "", "too_large")]
    assert problems(long) == [(1, "steps[1]", "too_large")]


def test_a_thousand_short_steps_are_a_flow():
    assert read(*[{"type": "wait", "seconds": 1}] * 1000).total == 1000


def test_of_very_many_problems_the_first_hundred_are_reported():
    unknown = {f"key{number}": 1 for number in range(5000)}

    assert len(problems({"steps": [llm()], **unknown})) == 100
    assert len(problems({"steps": [{**llm(), "messages": [{}] * 5000}]})) == 100


def test_long_messages_do_not_count_in_what_a_run_carries():
    assert compact_bytes(read(*[llm("x" * 50_000)] * 40)) < 40_000


def test_loops_that_only_a_stop_ends_are_known():
    guarded = {"type": "if", "command": "x", "then": [judge()]}
    flow = read(nested(llm()), nested(llm(), guarded), nested(llm(), maxIterations=2), START, nested(llm(), judge()), END)  # fmt: skip

    assert endless_loops(flow) == (0, 8)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(("type", "steps", "then", "else", "command", "messages", "@llm")), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(JSON)
def test_whatever_json_it_is_it_is_read_or_refused_with_problems(raw):
    try:
        total = read_flow(raw, "example").total
    except FlowProblemsError as error:
        total = len(error.problems)
    assert total


STEPS = st.recursive(
    st.sampled_from([llm(), {"type": "wait", "seconds": 1}]),
    lambda inner: st.lists(inner, min_size=1, max_size=4).flatmap(
        lambda steps: st.sampled_from(
            [
                nested(*steps),
                nested(*steps, judge()),
                {"type": "if", "command": "x", "then": steps},
                {"type": "if", "command": "x", "then": steps, "else": steps},
            ]
        )
    ),
    max_leaves=12,
)


@given(st.lists(STEPS, min_size=1, max_size=5))
def test_every_begin_has_its_end_and_numbers_go_up(steps):
    flow = read(*steps)
    numbers = [s.index for s in flow.steps if s.kind not in {"endLoop", "else", "endIf"}]

    assert numbers == list(range(flow.total))
    for position, step in enumerate(flow.steps):
        if step.kind is StepKind.START_LOOP:
            assert flow.steps[step.position_of_end].position_of_end == position
        if step.kind is StepKind.IF:
            end = step.position_of_end
            if flow.steps[end].kind is StepKind.ELSE:
                end = flow.steps[end].position_of_end
            assert flow.steps[end].kind is StepKind.END_IF
            assert flow.steps[end].position_of_end == position
