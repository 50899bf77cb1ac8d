"""Why a flow's command failed is told by what it printed."""

import pytest

from domain.flows.definition import StepKind
from tests.domain.flow_world import FlowRun, FlowText


def test_why_a_command_failed_is_told_without_its_colours():
    run = FlowRun(FlowText().add(StepKind.COMMAND, command="pytest").flow())
    run.run_command(
        "\x1b[31mE  assert 1\x1b[0m\n\x1b[31m\x1b[1m1 failed\x1b[0m in 2 s\x1b[0m\n", passed=False
    )
    assert run.state.reason == "its command failed: 1 failed in 2 s"


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("1 failed\nexit code 1", "1 failed"),
        ("exit code 1", "exit code 1"),
        ("no route\nexit code 1\nit may not reach example.org", "it may not reach example.org"),
        ("", "no output"),
    ],
)
def test_why_a_command_failed_is_what_it_printed_before_it_ended(output, told):
    run = FlowRun(FlowText().add(StepKind.COMMAND, command="pytest").flow())
    run.run_command(output, passed=False, exit_code=1)
    assert run.state.reason == f"its command failed: {told}"
