"""What can be done in Temporal's Web UI: what passes, and what is refused in words."""

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.temporal_ui import writes
from tests.api.web_ui import RUN


@pytest.mark.parametrize(
    "path",
    [
        f"{RUN}/signal",
        f"{RUN}/cancel",
        f"{RUN}/terminate",
        f"{RUN}/query/__stack_trace",
        "/api/v1/namespaces/default/workflows/w/signal/approve",
    ],
)
async def test_supported_actions_pass(signed_in, web_ui, path):
    answer = await signed_in.post(path, json={"a": 1}, headers={"X-CSRF-TOKEN": "c1"})
    assert answer.status_code == 200
    [(_, found, headers, body)] = web_ui.requests
    assert (found, json.loads(body), headers["x-csrf-token"]) == (path, {"a": 1}, "c1")


LINE = (
    "temporal workflow signal --address 127.0.0.1:7233 --workflow-id thread-x/left "
    """--name approve --input '{"code": "c", "by": "it'"'"'s me"}'"""
)


async def test_a_line_pasted_as_a_signal_s_name_is_sent_as_what_it_says(signed_in, web_ui):
    body = {"signalName": LINE, "input": None, "requestId": "r"}
    assert (await signed_in.post(f"{RUN}/signal/{quote(LINE, safe='')}", json=body)).is_success
    [(_, path, _, sent)] = web_ui.requests
    sent = json.loads(sent)
    assert path == f"{RUN}/signal/approve"
    [payload] = sent.pop("input")["payloads"]
    assert sent == {"signalName": "approve", "requestId": "r"}
    assert json.loads(base64.b64decode(payload["data"])) == {"code": "c", "by": "it's me"}
    assert base64.b64decode(payload["metadata"]["encoding"]) == b"json/plain"


@pytest.mark.parametrize(
    ("line", "status", "words"),
    [
        (LINE.replace("/left", "/right"), 409, "'thread-x/right'"),
        (LINE[:-1], 400, "not complete"),
        (LINE.replace("--name", "--nam"), 400, "not complete"),
        (LINE.replace("by", 'by"'), 400, "not complete"),
    ],
)
async def test_a_line_for_elsewhere_or_cut_off_is_refused(signed_in, web_ui, line, status, words):
    answer = await signed_in.post(f"{RUN}/signal/{quote(line, safe='')}", json={})
    assert (answer.status_code, words in answer.json()["message"]) == (status, True)
    assert not web_ui.requests


@pytest.mark.parametrize(
    ("method", "path", "words"),
    [
        ("POST", f"{RUN}/reset", "treadle fork"),
        ("POST", f"{RUN}/update/approve", "signal of the same name"),
        ("POST", "/api/v1/namespaces/default/workflows/mine", "treadle run"),
        ("POST", "/api/v1/namespaces/default/batch-operations/b", "one workflow at a time"),
        ("POST", "/api/v1/namespaces/default/schedules/s", "treadle schedule"),
        ("DELETE", "/api/v1/namespaces/default/schedules/s", "treadle schedule"),
        ("POST", f"{RUN}/activities/3/complete", "activity"),
        ("POST", "/api/v1/namespaces/default/activities/pause", "activity"),
        ("POST", "/api/v1/namespaces", "not supported"),
        ("PUT", f"{RUN}/signal", "not supported"),
        ("POST", f"{RUN}/../../mine/signal", "not supported"),
    ],
)
async def test_other_actions_are_refused_in_words_of_temporal_s_form(
    signed_in, web_ui, method, path, words
):
    answer = await signed_in.request(method, path, json={})
    assert answer.status_code == 403
    assert (answer.json()["code"], answer.json()["type"]) == (7, "treadle:not_supported")
    assert words in answer.json()["message"]
    assert not web_ui.requests


@given(
    st.sampled_from(["POST", "PUT", "PATCH", "DELETE"]),
    st.lists(
        st.sampled_from(
            [
                "api",
                "v1",
                "namespaces",
                "default",
                "workflows",
                "w",
                "runs",
                "r",
                "reset",
                "update",
                "signal",
                "terminate",
                "cancel",
                "schedules",
                "batch-operations",
                "..",
                "query",
                "%2e%2e",
            ]
        ),
        max_size=9,
    ),
)
def test_no_write_but_the_supported_ones_is_let_pass(method, parts):
    path = "/" + "/".join(parts)
    passes = writes.is_read(method, path) or writes.is_action(method, path)
    supported = {"signal", "cancel", "terminate", "query"}
    assert not passes or (method == "POST" and supported & set(parts[5:]))
    assert writes.refusal(path)
