"""A line of `treadle show --signals`, pasted as the name of a signal, is checked before it is passed on."""

import json
from urllib.parse import quote

import pytest

from api.core.problems import RefusedError
from api.temporal_ui.pasted import unfold_line
from tests.api.web_ui import RUN

LINE = "temporal workflow signal --workflow-id thread-x/left --name {} --input {}"


def signal(line):
    return f"{RUN}/signal/{quote(line, safe='')}"


@pytest.mark.parametrize(
    "name", ["''", "..", ".", "a/b", "--input", "__temporal", "'a b'", "a%2fb"]
)
def test_the_name_in_a_pasted_line_is_one_of_a_signal(name):
    with pytest.raises(RefusedError) as refused:
        unfold_line(signal(LINE.format(name, "'{}'")), b"{}")
    assert refused.value.problem.status == 400
    assert "not the name of a signal" in refused.value.problem.detail


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_a_pasted_line_with_an_endless_input_is_not_complete(opening):
    with pytest.raises(RefusedError, match="not complete"):
        unfold_line(signal(LINE.format("approve", f"'{opening * 4000}'")), b"{}")


async def test_a_pasted_line_may_hold_what_no_other_path_does(signed_in, web_ui):
    r"""A text with `\n`, `//` and `/../`."""
    given = json.dumps({"text": "see http://localhost/../a\n100%ff"})
    line = LINE.format("send_message", f"'{given}'")
    assert (await signed_in.post(signal(line), json={})).is_success
    assert web_ui.paths == [f"{RUN}/signal/send_message"]


@pytest.mark.parametrize(
    "line",
    [
        LINE.format("..", "'{}'"),
        LINE.format("''", "'{}'"),
        LINE.format("approve", "'" + "[" * 4000 + "'"),
    ],
)
async def test_a_line_that_is_none_of_ours_is_refused_in_words(signed_in, web_ui, line):
    answer = await signed_in.post(signal(line), json={})
    assert (answer.status_code, answer.json()["type"]) == (400, "treadle:bad_request")
    assert not web_ui.requests
