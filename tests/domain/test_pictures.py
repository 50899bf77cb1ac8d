"""Pictures of steps: what their globs may say, where they are written, and what a receipt tells."""

import hashlib
from datetime import UTC, datetime

import pytest

from domain.core.approvals import content_hash
from domain.core.event import Event
from domain.core.ids import EventId
from domain.evidence.envelope import opened as opened_file
from domain.evidence.envelope import sealed
from domain.evidence.words import lines_of, sections_of
from domain.plans.templates.rules import step_faults
from domain.reading.exports.export import StreamExport
from domain.verification.pictures import MAX_GLOBS, Picture
from domain.verification.steps import StepType, VerificationStep
from tests.domain.receipt_lab import KEY, TASK, THREAD, opened, published, result, stated, stepped

DIGEST = hashlib.sha256(b"the picture").hexdigest()
PICTURE = Picture(
    name="shots/page.png",
    mime_type="image/png",
    size_bytes=11,
    sha256=DIGEST,
    content_ref="a" * 64,
)


def step(*globs: str, kind: StepType = StepType.COMMAND) -> VerificationStep:
    subject = {"command": "true"} if kind is StepType.COMMAND else {"url": "http://localhost:1/"}
    return VerificationStep(id="s1", type=kind, keep=globs, **subject)


@pytest.mark.parametrize("glob", ["shots/*.png", "**/*.webp", "a b/ü.jpg"])
def test_a_glob_inside_the_repository_is_fine(glob):
    assert list(step_faults(step(glob))) == []


@pytest.mark.parametrize(
    "glob", ["", " ", "/etc/*.png", "../*.png", "a/../../b", "a\nb", "x" * 201]
)
def test_other_globs_are_refused(glob):
    assert [kind for kind, _ in step_faults(step(glob))] == ["bad_value"]


def test_too_many_globs_are_refused():
    assert [kind for kind, _ in step_faults(step(*["*.png"] * (MAX_GLOBS + 1)))] == ["too_many"]


def test_a_step_that_leaves_no_files_keeps_none():
    assert [kind for kind, _ in step_faults(step("*.png", kind=StepType.HTTP_HEALTH))] == [
        "conflict"
    ]


def test_a_step_without_globs_is_what_it_was_for_hashes():
    assert "keep" not in step().model_dump()
    assert content_hash(step()) != content_hash(step("*.png"))
    assert "pictures" not in result().model_dump()


def test_a_receipt_tells_the_digest_of_each_picture():
    told = [(TASK, opened()), (TASK, stepped(pictures=(PICTURE,))), (THREAD, published())]
    statement, _ = opened_file(sealed(stated(told), KEY), [KEY.public])

    (picture,) = statement.predicate.steps[0].pictures
    assert (picture.name, picture.sha256, picture.media_type, picture.size_bytes) == (
        "shots/page.png",
        DIGEST,
        "image/png",
        11,
    )
    assert any(DIGEST in line for line in lines_of(statement))
    assert DIGEST in sections_of(statement, KEY.public.fingerprint)[0]


def test_an_export_lists_the_pictures_of_a_step():
    at = datetime(2026, 3, 2, tzinfo=UTC)
    ended = Event(id=EventId("e1"), stream=TASK, at=at, body=stepped(pictures=(PICTURE,)))
    written = "".join(map(str, StreamExport(TASK).tell(ended)))

    assert f"- picture `shots/page.png` (image/png, 11 bytes): SHA-256 `{DIGEST}`\n" in written
