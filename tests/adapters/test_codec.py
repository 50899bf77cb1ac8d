"""The payload codec: what is sealed opens in its own place, and nothing that arrives can fail it."""

import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from temporalio.api.common.v1 import Payload
from temporalio.api.failure.v1 import Failure
from temporalio.api.sdk.v1 import WorkflowMetadata
from temporalio.converter import (
    ActivitySerializationContext,
    DataConverter,
    WorkflowSerializationContext,
)
from temporalio.exceptions import ApplicationError

from adapters.files.key_ring import KeyRing, KeyRingError
from adapters.temporal.conversion import data_converter
from adapters.temporal.envelope import Envelope
from domain.core.seals import Public, Unsealed
from domain.threads.inputs import ThreadInput
from domain.verification.calls import StepAnswer
from domain.verification.steps import StepResult
from tests.adapters.sealed_payloads import EarlierSealing, changed

ANSWER = StepAnswer(result=StepResult(step_id="s", label="make", passed=True, output="treasure"))


def activity(number: str = "3", workflow: str = "thread-x/left") -> ActivitySerializationContext:
    return ActivitySerializationContext(
        namespace="default",
        workflow_id=workflow,
        workflow_type="Task",
        activity_type="run_verification_step",
        activity_id=number,
        activity_task_queue="host",
        is_local=False,
    )


def workflow(name: str = "thread-x") -> WorkflowSerializationContext:
    return WorkflowSerializationContext(namespace="default", workflow_id=name)


@pytest.fixture
def keys(tmp_path: Path) -> KeyRing:
    return KeyRing(tmp_path / "payload.keys")


@pytest.fixture
def converter(keys: KeyRing) -> DataConverter:
    return data_converter(keys)


async def test_what_is_sealed_opens_in_its_own_place(converter: DataConverter):
    there = converter.with_context(activity())
    [payload] = await there.encode([ANSWER])
    assert b"treasure" not in payload.SerializeToString()
    here = converter.with_context(activity())
    assert await here.decode([payload], [StepAnswer]) == [ANSWER]


async def test_what_is_long_is_kept_small_and_opens_again(converter: DataConverter):
    result = ANSWER.result.model_copy(update={"output": "the same line\n" * 1_000})
    long = StepAnswer(result=result)
    there = converter.with_context(activity())
    [payload] = await there.encode([long])
    assert len(payload.data) < 1_000
    assert await converter.with_context(activity()).decode([payload], [StepAnswer]) == [long]


@pytest.mark.parametrize("value", ["", "x", "long " * 500, None, b"bytes", {"a": [1, None]}])
async def test_any_value_opens_again_and_costs_no_more_than_its_envelope(
    converter: DataConverter, value: Any
):
    here = converter.with_context(workflow())
    [clear] = converter.payload_converter.to_payloads([value])
    [payload] = await here.encode([value])
    assert await here.decode([payload]) == [value]
    assert payload.ByteSize() <= clear.ByteSize() + 90


@pytest.mark.parametrize("is_place_noted", [True, False])
async def test_what_earlier_versions_have_sealed_opens(
    keys: KeyRing, converter: DataConverter, is_place_noted: bool
):
    place = b"thread-x/left\0run_verification_step\x003"
    [clear] = converter.payload_converter.to_payloads([ANSWER])
    payload = EarlierSealing(keys, place, is_place_noted).seal(clear)
    assert await converter.with_context(activity()).decode([payload], [StepAnswer]) == [ANSWER]
    [found] = await converter.with_context(activity("4")).decode([payload], [StepAnswer])
    assert isinstance(found, Unsealed)


def test_a_place_is_named_without_building_converters(
    converter: DataConverter, monkeypatch: pytest.MonkeyPatch
):
    built: list[object] = []
    monkeypatch.setattr(type(converter), "__post_init__", built.append)
    there = converter.with_context(activity())
    assert there is not converter
    assert there.payload_converter is converter.payload_converter
    assert not built


@pytest.mark.parametrize(
    "elsewhere", [activity("4"), activity(workflow="thread-x/right"), workflow("thread-x/left")]
)
async def test_what_belongs_to_another_place_is_not_taken(
    converter: DataConverter, elsewhere: ActivitySerializationContext | WorkflowSerializationContext
):
    [payload] = await converter.with_context(activity()).encode([ANSWER])
    [found] = await converter.with_context(elsewhere).decode([payload], [StepAnswer])
    assert isinstance(found, Unsealed)


def key_of(payload: Payload) -> str:
    envelope = Envelope.of(payload)
    assert envelope is not None
    return envelope.key_id


def _bent(payload: Payload) -> Payload:
    data = payload.data[:-1] + bytes([payload.data[-1] ^ 1])
    return Payload(metadata=payload.metadata, data=data)


def _cut(payload: Payload) -> Payload:
    return Payload(metadata=payload.metadata, data=payload.data[:5])


def _of_another_key(payload: Payload) -> Payload:
    return changed(payload, key_id="another")


def _of_an_unknown_version(payload: Payload) -> Payload:
    return Payload(metadata=payload.metadata, data=b"\xff" + payload.data[1:])


def _with_a_key_of_any_name(payload: Payload) -> Payload:
    return Payload(metadata={**payload.metadata, "encryption-key-id": b"\xff\x00"}, data=b"\x00")


def _in_clear(_: Payload) -> Payload:
    return Payload(metadata={"encoding": b"json/plain"}, data=ANSWER.model_dump_json().encode())


def _marked_as_unsealed(_: Payload) -> Payload:
    return Payload(metadata={"encoding": b"treadle/unsealed"}, data=b"{}")


def _empty(_: Payload) -> Payload:
    return Payload()


def _no_json(_: Payload) -> Payload:
    return Payload(metadata={"encoding": b"json/plain"}, data=b"{\xff")


@pytest.mark.parametrize(
    "forge",
    [
        *(_bent, _cut, _of_another_key, _of_an_unknown_version, _with_a_key_of_any_name),
        *(_in_clear, _marked_as_unsealed, _empty, _no_json),
    ],
)
async def test_what_nobody_of_ours_sealed_is_marked_and_fails_nothing(
    converter: DataConverter, forge: Callable[[Payload], Payload]
):
    here = converter.with_context(activity())
    [payload] = await here.encode([ANSWER])
    [found] = await here.decode([forge(payload)], [StepAnswer])
    assert isinstance(found, Unsealed)


async def test_a_person_s_words_in_clear_are_handed_on(converter: DataConverter):
    payload = Payload(metadata={"encoding": b"json/plain"}, data=b'{"by": "me"}')
    assert await converter.with_context(workflow()).decode([payload]) == [Unsealed({"by": "me"})]


async def test_several_that_are_not_ours_become_one_that_fits_no_signature(
    converter: DataConverter,
):
    here = converter.with_context(workflow())
    [sealed] = await here.encode(["ours"])
    clear = Payload(metadata={"encoding": b"json/plain"}, data=b'"theirs"')
    assert await here.decode([sealed, clear]) == [Unsealed("theirs")]


async def test_a_start_in_clear_fails_its_workflow(converter: DataConverter):
    payload = Payload(metadata={"encoding": b"json/plain"}, data=b"{}")
    with pytest.raises(ApplicationError, match="not started by Treadle"):
        await converter.with_context(workflow()).decode([payload], [ThreadInput])


async def test_titles_and_current_details_stay_readable(converter: DataConverter):
    here = converter.with_context(workflow())
    [title] = await here.encode([Public("Write left")])
    assert (title.metadata["encoding"], title.data) == (b"json/plain", b'"Write left"')
    [details] = await here.encode([WorkflowMetadata(current_details="**waits**")])
    assert b"**waits**" in details.data


async def test_failures_hide_what_they_say(converter: DataConverter):
    failure = Failure()
    here = converter.with_context(activity())
    error = ApplicationError("the treasure is gone", type="agent_failed")
    error.__cause__ = ValueError("treasure")
    await here.encode_failure(error, failure)
    assert b"treasure" not in failure.SerializeToString()
    found = await here.decode_failure(failure)
    assert isinstance(found, ApplicationError)
    assert (found.message, found.type) == ("the treasure is gone", "agent_failed")


async def test_a_new_key_seals_and_the_old_ones_open(keys: KeyRing, converter: DataConverter):
    [old] = await converter.encode([ANSWER])
    with keys.path.open("a") as file:
        file.write(f"\n{KeyRing.line()}\n")
    restarted = data_converter(KeyRing(keys.path))
    [new] = await restarted.encode([ANSWER])
    assert key_of(old) != key_of(new)
    assert await restarted.decode([old, new], [StepAnswer, StepAnswer]) == [ANSWER, ANSWER]
    # one that was not restarted meets a key that it does not know yet
    assert await converter.decode([new], [StepAnswer]) == [ANSWER]


def test_processes_that_start_at_once_agree_on_one_key_that_only_the_user_can_read(tmp_path: Path):
    path = tmp_path / "data" / "payload.keys"
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: KeyRing(path).newest(), range(32)))
    assert len(keys) == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["payload.keys"]


@pytest.mark.parametrize(
    "content", ["", "# nothing\n", "a1 tooshort\n", "a1 not/base64!\n", "\xff"]
)
def test_a_broken_file_of_keys_is_reported_and_not_replaced(tmp_path: Path, content: str):
    path = tmp_path / "payload.keys"
    path.write_text(content)
    with pytest.raises(KeyRingError, match=r"payload\.keys"):
        KeyRing(path).newest()
    assert path.read_text() == content
