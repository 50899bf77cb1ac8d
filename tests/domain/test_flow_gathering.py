"""Flows that name others: all of them are taken, and what is wrong with one is told with the way to it."""

from hypothesis import given
from hypothesis import strategies as st

from domain.agents.profiles import Scope
from domain.flows.definition import FlowDefinition, FlowStep, StepKind
from domain.flows.gathering import MAX_NESTING, MAX_SUBFLOWS, gathered
from domain.flows.problems import FlowProblem
from domain.flows.starting import MAX_DEFINITION_BYTES, size_of
from domain.flows.views import FoundFlow

NAMES = "abcdefg"


def flow(name: str, *names: str, text: str = "") -> FoundFlow:
    steps = [FlowStep(kind=StepKind.COMMAND, index=0, command=f"make {name}{text}")]
    if names:
        steps.append(FlowStep(kind=StepKind.SUBFLOW, index=1, flow_names=names))
    definition = FlowDefinition(name=name, steps=tuple(steps), total=len(steps))
    return FoundFlow(
        name=name,
        scope=Scope.REPOSITORY,
        path=f"/flows/{name}.json",
        definition=definition,
        content_hash=f"hash of {name}{text[:9]}",
    )


def look(*flows: FoundFlow):
    return {each.name: each for each in flows}.get


def problem(found: FoundFlow) -> tuple[int | None, str, str]:
    (wrong,) = found.problems
    assert found.definition is None
    return wrong.step, wrong.type, wrong.message


def test_all_flows_that_are_reached_come_along_each_once():
    others = look(flow("b", "d"), flow("c", "d"), flow("d"))

    whole = gathered(flow("a", "b", "c"), others).definition

    assert [each.name for each in whole.subflows] == ["b", "c", "d"]
    assert all(not each.subflows for each in whole.subflows)
    assert whole.commands == ("make a", "make b", "make c", "make d")
    assert [each.name for each in whole.subflow("b").subflows] == ["b", "c", "d"]


def test_a_change_of_any_of_them_is_a_change_of_the_whole():
    first = gathered(flow("a", "b"), look(flow("b", "c"), flow("c")))
    again = gathered(flow("a", "b"), look(flow("b", "c"), flow("c")))
    after = gathered(flow("a", "b"), look(flow("b", "c"), flow("c", text="!")))

    assert first.content_hash == again.content_hash != after.content_hash
    assert first.definition.content_hash == first.content_hash
    # each has the hash that it has when it is run by itself
    alone = gathered(flow("b", "c"), look(flow("c")))
    assert first.definition.subflow("b").content_hash == alone.content_hash
    assert first.definition.subflow("c").content_hash == "hash of c"


def test_a_flow_that_comes_round_to_itself_is_reported_with_the_way():
    a = flow("a", "b")

    assert problem(gathered(flow("a", "a"), look(flow("a", "a")))) == (
        1,
        "subflow_cycle",
        "a flow may not come round to itself: a → a",
    )
    assert "a → b → c → a" in problem(gathered(a, look(a, flow("b", "c"), flow("c", "a"))))[2]
    assert "a → b → c → b" in problem(gathered(a, look(a, flow("b", "c"), flow("c", "b"))))[2]


def test_a_missing_and_a_broken_flow_are_reported_with_the_way():
    broken = flow("c").model_copy(
        update={"definition": None, "problems": (FlowProblem(type="x", message="bad", line=3),)}
    )

    step, kind, words = problem(gathered(flow("a", "b"), look(flow("b", "x"))))
    assert (step, kind) == (1, "unknown_flow")
    assert "no flow `x`" in words
    assert words.endswith("a → b → x")
    step, kind, words = problem(gathered(flow("a", "b"), look(flow("b", "c"), broken)))
    assert (step, kind) == (1, "broken_subflow")
    assert words == "the flow `c` can't be run (a → b → c): line 3, column 0: bad (x)"


def test_flows_stand_in_each_other_only_so_deep_by_whichever_way_is_looked_at_first():
    chain = [flow(str(n), str(n + 1)) for n in range(MAX_NESTING + 1)]
    last = flow(str(MAX_NESTING + 1))

    assert gathered(chain[1], look(*chain, last)).definition
    assert problem(gathered(chain[0], look(*chain, last)))[1] == "too_deep"
    # the lower part was found sound before the longer way to it
    top = flow("top", "3", "0")
    assert problem(gathered(top, look(*chain, last)))[1] == "too_deep"


def test_a_flow_leads_to_no_more_than_so_many():
    names = [f"n{n}" for n in range(MAX_SUBFLOWS + 1)]
    others = look(*map(flow, names))

    assert gathered(flow("a", *names[:-1]), others).definition
    assert problem(gathered(flow("a", *names), others))[1] == "too_large"


def test_flows_together_are_as_large_as_a_run_carries_and_no_larger():
    text = "x" * (MAX_DEFINITION_BYTES // 4)
    three, four = (flow("top", *names) for names in ("abc", "abcd"))
    others = look(*(flow(name, text=text) for name in "abcd"))

    assert size_of(gathered(three, others).definition.compact()) < MAX_DEFINITION_BYTES
    assert problem(gathered(four, others))[1] == "too_large"


graphs = st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=3))


@given(graph=graphs)
def test_what_is_taken_has_no_way_round_and_nothing_missing(graph):
    flows = {name: flow(name, *dict.fromkeys(names)) for name, names in graph.items()}
    for found in flows.values():
        whole = gathered(found, flows.get).definition
        if whole is None:
            continue
        taken = {each.name: each for each in whole.subflows} | {whole.name: whole}

        def depth(name: str, above: tuple[str, ...], taken=taken) -> int:
            assert name not in above
            below = [depth(each, (*above, name)) for each in taken[name].flow_names]
            return 1 + max(below, default=-1)

        assert depth(whole.name, ()) <= MAX_NESTING
