"""Decision codes, content hashes and ids."""

import json
import re
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.conversations.commands import SendMessage, StopTurn
from domain.conversations.questions.commands import ForgetRule
from domain.core.approval_commands import Approve, Reject
from domain.core.approvals import content_hash, decision_code, is_code, signal_line
from domain.core.command import AgentCommand, Coded, Command, Verdict
from domain.core.ids import (
    CommandId,
    RequestId,
    SessionId,
    TaskId,
    is_name,
    session_stream,
    slug,
    task_workflow_id,
    thread_id,
    thread_of,
)
from domain.plans.proposals.proposal import read_plan
from domain.plans.templates.template import PlanTemplate
from domain.tasks.rules import TASK_RULES
from domain.tasks.running_commands import Abort, AbortAll, Cancel, Pause, Resume, Retry
from domain.threads.rules import THREAD_RULES
from tests.domain.strategies import plans

part = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
subjects = st.tuples(part, part, part, part)


@given(st.binary(max_size=40), subjects)
def test_a_code_is_short_typeable_and_right(key: bytes, subject: tuple[str, str, str, str]) -> None:
    code = decision_code(key, *subject)
    assert re.fullmatch(r"[a-z2-7]{12}", code)
    assert is_code(key, code, subject)
    assert not is_code(key, code[:-1], subject)
    assert not is_code(key, "", subject)


@given(st.binary(min_size=1, max_size=40), subjects, st.integers(0, 4), part)
def test_a_code_of_anything_else_is_wrong(
    key: bytes, subject: tuple[str, str, str, str], changed: int, other: str
) -> None:
    code = decision_code(key, *subject)
    if changed == 4:
        assert not is_code(key + b"x", code, subject)
    elif subject[changed] != other:
        assert not is_code(key, code, (*subject[:changed], other, *subject[changed + 1 :]))


@given(st.text(max_size=20))
def test_any_text_may_be_tried_as_a_code(text: str) -> None:
    assert not is_code(b"key", text.encode("utf-8", "replace").decode(), ("a", "b", "c", "d"))


@given(plans(), plans())
def test_plans_have_the_same_hash_when_they_are_the_same(one: object, other: object) -> None:
    template = PlanTemplate(name="plain")
    first, second = read_plan(one, template)[0], read_plan(other, template)[0]
    assert (first.content_hash == second.content_hash) == (first == second)
    assert (
        content_hash(type(first).model_validate_json(first.model_dump_json())) == first.content_hash
    )


@given(part, part, st.sampled_from([Approve, Reject]))
def test_the_signal_line_survives_a_shell(
    workflow: str, request_id: str, verdict: type[Verdict]
) -> None:
    command = verdict(request_id=RequestId(request_id), content_hash="0" * 64)
    words = shlex.split(signal_line(b"key", workflow, command, "--address localhost:1"))
    payload = json.loads(words[-1])
    assert words[words.index("--workflow-id") + 1] == workflow
    assert payload["request_id"] == request_id
    subject = (workflow, request_id, verdict.door, "0" * 64)
    assert is_code(b"key", payload["code"], subject, payload["by"])


@pytest.mark.parametrize("command", dict.fromkeys((*THREAD_RULES.commands, *TASK_RULES.commands)))
def test_what_starts_says_or_decides_has_a_code_and_what_stops_has_none(
    command: type[Command],
) -> None:
    stops = command in {Pause, Cancel, Abort, AbortAll, StopTurn, ForgetRule}
    assert issubclass(command, Coded | AgentCommand) != stops


@given(part, part)
def test_a_code_for_one_command_is_none_for_another(one: str, other: str) -> None:
    commands: list[Coded] = [
        Resume(command_id=CommandId(one)),
        Resume(command_id=CommandId(other)),
        Retry(command_id=CommandId(one), task_id=TaskId("a")),
        Retry(command_id=CommandId(one), task_id=TaskId("b")),
        SendMessage(command_id=CommandId(one), text="hello"),
    ]
    subjects = {(c.request, c.choice, c.content) for c in commands}
    codes = {decision_code(b"key", "w", *subject) for subject in subjects}
    assert len(codes) == len(subjects) == (4 if one == other else 5)


@given(st.text())
def test_a_slug_is_readable_ascii_and_never_empty(text: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug(text))
    assert len(slug(text)) <= 32
    assert slug(slug(text)) == slug(text)
    assert is_name(thread_id(text, "k3f9"))


@given(st.text("aZ0-9é_/. \n", max_size=70) | st.from_regex(r"[a-z0-9-]{1,64}"))
def test_a_name_is_safe_in_a_path_a_branch_and_a_workflow_id(text: str) -> None:
    if is_name(text):
        assert re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", text)
        stream = task_workflow_id(thread_id("goal", "x"), TaskId(text))
        assert thread_of(stream) == thread_of(session_stream(stream, 1)) == "thread-goal-x"
        assert "/session-" not in stream


def test_names_that_mean_something_else_are_refused() -> None:
    for name in ("session", "session-1", "head", "git", "con", "", "-a", "a-", "A", "a b", "a\n"):
        assert not is_name(name), name


def test_session_ids_of_threads_and_tasks_differ() -> None:
    thread = thread_id("goal", "x")
    assert session_stream(thread, 1) == SessionId("thread-goal-x/session-1")
    assert session_stream(f"{thread}/a", 1) != session_stream(thread, 1)


def test_a_code_is_good_for_its_person_alone():
    subject = ("thread-a", "plan-1", "approve", "0" * 64)
    code = decision_code(b"key", *subject, by="anna")
    assert is_code(b"key", code, subject, "anna")
    assert not is_code(b"key", code, subject, "ben")
    assert not is_code(b"key", code, subject)
    assert not is_code(b"key", decision_code(b"key", *subject), subject, "anna")
