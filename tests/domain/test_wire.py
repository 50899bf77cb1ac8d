"""What a history or the journal holds can be read again, also by older and newer code."""

from functools import cache
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.billing import MonthlyLimits
from domain.conversations.sessions.rules import SESSION_RULES
from domain.conversations.sessions.rules import evolve as evolve_session
from domain.conversations.sessions.state import SessionState
from domain.core.attachments import Attachment
from domain.core.command import Command
from domain.core.comments import MAX_LINE, LineComment
from domain.core.event import EventBody
from domain.core.notices import ResourceWarned
from domain.core.suggestions import Suggestion
from domain.core.wire import Wire, lean_json
from domain.flows.definition import FlowDefinition, FlowStep
from domain.plans.plan import DecisionOption, Plan, PlannedTask
from domain.plans.proposals.proposal import read_plan
from domain.plans.settings import PlannerSettings
from domain.plans.templates.template import GitConventions, MoneyConventions, PlanTemplate
from domain.reading.event_kinds import BODY
from domain.tasks.rules import TASK_RULES
from domain.tasks.rules import evolve as evolve_task
from domain.tasks.state import TaskState
from domain.threads.amending.amendment import Amendment, RemoveTask
from domain.threads.contests.commands import Part
from domain.threads.events import ThreadEvent
from domain.threads.rules import THREAD_RULES
from domain.verification.pictures import Picture
from domain.verification.steps import StepType, VerificationStep
from tests.domain.strategies import plans
from tests.hypothesis_profiles import effort

BODIES = tuple(EventBody.KINDS.values())
COMMANDS = sorted(
    {*THREAD_RULES.commands, *TASK_RULES.commands, *SESSION_RULES.commands},
    key=lambda command: command.door,
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=3,
)
plan = plans().map(lambda raw: read_plan(raw, PlanTemplate(name="plain"))[0])
text = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8
)
step = st.builds(VerificationStep, type=st.sampled_from(StepType), label=text)
PARTS: dict[type, st.SearchStrategy[Any]] = {
    str: text,
    int: st.integers(1, 1_000_000),
    Plan: plan,
    PlannedTask: st.builds(
        PlannedTask,
        id=text,
        title=text,
        verification=st.tuples(step),
        max_usd=st.none() | st.floats(0.01, 10_000),
    ),
    dict[str, Any]: st.dictionaries(text, json_values, max_size=2),
}


@cache
def models(kind: type[Wire]) -> st.SearchStrategy[Wire]:
    """Models with every required field, made from its type."""
    required = {name: f.annotation for name, f in kind.model_fields.items() if f.is_required()}
    return st.builds(kind, **{name: values(annotation) for name, annotation in required.items()})


def values(annotation: Any) -> st.SearchStrategy[Any]:
    if annotation is Any:
        return json_values
    return PARTS[annotation] if annotation in PARTS else st.from_type(annotation)


st.register_type_strategy(str, text)
st.register_type_strategy(float, st.floats(0, 1_000_000))  # no door lets another number in
st.register_type_strategy(VerificationStep, step)
flow_steps = st.lists(st.from_type(FlowStep), max_size=2).map(tuple)
flow = st.builds(FlowDefinition, name=text, description=text, steps=flow_steps)
st.register_type_strategy(
    FlowDefinition,
    st.builds(FlowDefinition, name=text, steps=flow_steps, subflows=st.tuples() | st.tuples(flow)),
)
st.register_type_strategy(
    Attachment, st.builds(Attachment, name=st.just("a.txt"), content_ref=st.just("0" * 64))
)
st.register_type_strategy(
    Picture,
    st.builds(Picture, name=text, mime_type=text, content_ref=st.just("0" * 64)),
)
usd = st.none() | st.floats(0.01, 10_000)  # the bounds that a template may set
inferred = dict.fromkeys(GitConventions.model_fields.keys() - {"max_rework_usd"}, ...)
st.register_type_strategy(GitConventions, st.builds(GitConventions, max_rework_usd=usd, **inferred))
for limited in (MoneyConventions, MonthlyLimits, PlannerSettings):
    own = [name for name in limited.model_fields if name.endswith("_usd")]
    st.register_type_strategy(
        limited,
        st.builds(
            limited,
            **dict.fromkeys(limited.model_fields.keys() - set(own), ...),
            **dict.fromkeys(own, usd),
        ),
    )
others = dict.fromkeys(PlanTemplate.model_fields.keys() - {"labels"}, ...)
labels = st.sampled_from(((), ("gpu",), ("gpu", "zone=a")))
st.register_type_strategy(PlanTemplate, st.builds(PlanTemplate, labels=labels, **others))
line = st.integers(1, MAX_LINE)
st.register_type_strategy(
    LineComment, st.builds(LineComment, path=text, line=line, text=text, first=st.none() | line)
)
st.register_type_strategy(
    Suggestion, st.builds(Suggestion, path=text, first=line, last=line, text=st.none() | text)
)
st.register_type_strategy(Part, st.builds(Part, candidate=text, files=st.tuples(text)))
PARTS[tuple[Part, ...]] = st.tuples(st.from_type(Part))
st.register_type_strategy(DecisionOption, st.builds(DecisionOption, label=st.just("a")))
st.register_type_strategy(
    Amendment,
    st.builds(
        Amendment,
        base_version=PARTS[int],
        why=text,
        changes=st.tuples(st.builds(RemoveTask, change=st.just("remove"), task_id=text)),
    ),
)


@pytest.mark.parametrize("kind", BODIES, ids=lambda kind: kind.__name__)
@effort(20)
@given(st.data())
def test_an_event_survives_json_and_fields_of_a_newer_version(
    kind: type[Wire], data: st.DataObject
) -> None:
    body = data.draw(models(kind))
    assert BODY.validate_json(BODY.dump_json(body)) == body
    newer = {**body.model_dump(mode="json"), "added_later": {"by": "somebody"}}
    assert BODY.validate_python(newer) == body


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
@effort(20)
@given(st.data())
def test_a_command_survives_json_and_unknown_fields(
    kind: type[Command], data: st.DataObject
) -> None:
    command = data.draw(models(kind))
    assert kind.model_validate_json(command.model_dump_json()) == command
    assert kind.model_validate_json(lean_json(command)) == command
    assert kind.model_validate({**command.model_dump(mode="json"), "added_later": 1}) == command


def test_every_event_has_a_kind_of_its_own() -> None:
    kinds = [body.model_fields["kind"].default for body in BODIES]
    assert len(set(kinds)) == len(kinds)


@given(st.data())
def test_events_of_other_streams_change_nothing(data: st.DataObject) -> None:
    of_thread = data.draw(st.sampled_from(get_args(ThreadEvent)).flatmap(models))
    if not isinstance(of_thread, ResourceWarned):  # a warning is an event of tasks as well
        assert evolve_task(TaskState(), of_thread) == TaskState()
    assert evolve_session(SessionState(), of_thread) == SessionState()
