"""What steps print is shown as on a terminal, but for its colours; nothing in it steers one."""

import io

import pytest
from rich.console import Console

from cli.tasks import result_drawing
from cli.transcript.transcript import draw_text
from domain.reading.event_text import text_of
from domain.tasks.events import VerificationStepEnded
from domain.verification.pictures import Picture
from domain.verification.steps import StepResult, VerificationAttempt

COLOURED = "\x1b[31mFAILED\x1b[0m test_add\r\n10 %\r\x1b[2K100 %\x07\nexit code 1"


def result(**more):
    return StepResult(step_id="s", label="unit", passed=False, output=COLOURED, **more)


def drawn(renderable):
    console = Console(width=80, record=True, file=io.StringIO(), force_terminal=False)
    console.print(renderable)
    return console.export_text()


@pytest.mark.parametrize(
    "page",
    [
        result_drawing.failed(VerificationAttempt(attempt=1, steps=(result(),)), result()),
        result_drawing.result(result(reviewed_by="codex")),
        draw_text(text_of(VerificationStepEnded(attempt=1, result=result()))),
    ],
)
def test_control_bytes_of_a_steps_output_are_left_out(page):
    text = drawn(page)
    assert "�" not in text
    assert "[31m" not in text
    for seen in ("FAILED test_add", "│ 100 %", "exit code 1"):
        assert seen in text


def test_pictures_of_a_step_are_told_of_where_they_cannot_be_seen():
    kept = tuple(
        Picture(name=f"{n}.png", mime_type="image/png", content_ref=f"{n}" * 64) for n in range(2)
    )
    assert "[2 pictures on the page]" in drawn(result_drawing.result(result(pictures=kept)))
    assert "picture" not in drawn(result_drawing.result(result()))
