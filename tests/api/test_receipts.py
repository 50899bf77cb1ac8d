"""Receipts over the API."""

import json

import pytest

from domain.core.event import Event
from domain.evidence.envelope import opened
from domain.evidence.keys import ReceiptKey, SigningKey
from tests.api.conftest import event
from tests.api.test_reading import planned
from tests.domain.receipt_lab import TREE, published, stepped
from tests.domain.receipt_lab import opened as task_opened

PLANTED = "ghp_" + "a1B2" * 9


def told(*, is_published: bool = True, label: str = "Tests") -> list[Event]:
    of_task = (task_opened(), stepped(label=label, output=f"token {PLANTED}"))
    at_end = [event(90, body=published())] if is_published else []
    return [
        *planned(),
        *(event(n, "thread-a/flag", body) for n, body in enumerate(of_task)),
        *at_end,
    ]


async def test_a_receipt_is_verified_with_the_key_that_the_api_names(down_client, down_app):
    await down_app.state.journal.append(told())

    signed = (await down_client.get("/v1/threads/thread-a/receipt")).content
    key = (await down_client.get("/v1/receipt-key")).json()

    statement, signer = opened(signed, [ReceiptKey.of_pem(key["pem"].encode())])
    assert statement.tree == TREE
    assert signer.fingerprint == key["fingerprint"]
    assert statement.predicate.is_tree_verified


async def test_the_same_publication_has_the_same_receipt_to_the_byte(down_client, down_app):
    await down_app.state.journal.append(told())

    first = await down_client.get("/v1/threads/thread-a/receipt")
    second = await down_client.get("/v1/threads/thread-a/receipt")

    assert first.content == second.content


async def test_a_secret_is_in_no_receipt(down_client, down_app):
    await down_app.state.journal.append(told(label=f"curl {PLANTED}"))

    signed = (await down_client.get("/v1/threads/thread-a/receipt")).content

    key = SigningKey(down_app.state.key.read()).public
    text = opened(signed, [key])[0].model_dump_json()
    assert PLANTED not in text
    assert "[redacted:" in text


async def test_a_thread_without_a_publication_says_what_to_do(down_client, down_app):
    await down_app.state.journal.append(told(is_published=False))

    answer = await down_client.get("/v1/threads/thread-a/receipt")

    assert answer.status_code == 409
    assert answer.json()["type"] == "treadle:no_receipt"
    assert "treadle publish" in answer.json()["detail"]


async def test_an_unknown_thread_is_not_found(down_client):
    assert (await down_client.get("/v1/threads/thread-none/receipt")).status_code == 404


async def test_the_private_key_is_in_no_answer(down_client, down_app):
    await down_app.state.journal.append(told())
    secret = down_app.state.key.read().decode()

    for path in ("/v1/receipt-key", "/v1/threads/thread-a/receipt"):
        assert secret not in (await down_client.get(path)).text


@pytest.mark.parametrize("path", ["/v1/receipt-key", "/v1/threads/thread-a/receipt"])
async def test_nobody_gets_them_without_signing_in(down_client, path):
    answer = await down_client.get(path, headers={"Authorization": "Bearer none"})

    assert answer.status_code == 401
    assert "payload" not in json.dumps(answer.json())
