"""Secrets in text are replaced wherever they are cut; what only looks like one stays."""

import base64
import hashlib
import logging
import random
import time
import uuid
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adapters.journal import open_journal
from adapters.logs import RedactingFormatter
from adapters.redacted_ports import RedactedJournal, RedactedRunner
from adapters.redaction import Redactor, is_secret_name
from domain.agents.agents import AgentAnswer, StopReason
from domain.conversations.events import AgentNotice, AgentUpdate
from domain.core.errors import AgentError
from domain.core.event import Event, Headline

TOKEN = "gh" + "p_" + "a1B2" * 9
PEM = (
    "-----BEGIN RSA " + "PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA7bq1+/x=\n" * 20
    + "-----END RSA " + "PRIVATE KEY-----"
)  # fmt: skip
JWT = "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "dBjftJeZ4CVPmB92K27uhbUJU1p1r"
EXACT = "correct horse/battery+staple"
REDACTOR = Redactor({"API_TOKEN": EXACT, "SHORT": "abc"})

FORMS = {
    "private-key": PEM,
    "github-token": TOKEN,
    "anthropic-key": "sk-" + "ant-api03-" + "x9" * 20,
    "openai-key": "sk-" + "proj-" + "Ab3" * 15,
    "gitlab-token": "glp" + "at-" + "x9" * 10,
    "slack-token": "xox" + "b-1234567890-abcdefghij",
    "aws-key-id": "AK" + "IA" + "ABCDEFGHIJKLMNOP",
    "google-key": "AI" + "za" + "Sy_-x" * 7,
    "stripe-key": "sk_" + "live_" + "x9" * 12,
    "npm-token": "npm" + "_" + "x9" * 18,
    "pypi-token": "pypi-" + "AgE" + "x9" * 30,
    "huggingface-token": "hf" + "_" + "x9" * 17,
    "jwt": JWT,
    "API_TOKEN": EXACT,
}


@pytest.mark.parametrize(("name", "secret"), FORMS.items(), ids=FORMS)
@pytest.mark.parametrize("around", ["{}", "key={} ", '"{}"', "a\n{}\nb", "({}),", "KEY:{};"])
def test_each_form_is_replaced_by_its_name(name, secret, around):
    assert REDACTOR.text(around.format(secret)) == around.format(f"[redacted:{name}]")


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("https://me:hunter22@git.example.com/x.git", "https://[redacted:url-password]@git.example.com/x.git"),
        ("https://x-token:hunter22@git.example.com", "https://[redacted:url-password]@git.example.com"),
        ("Authorization: Bearer abc123def456ghi789", "Authorization: Bearer [redacted:authorization]"),
        ("authorization: Basic bWU6aHVudGVyMjI=", "authorization: Basic [redacted:authorization]"),
        ("AWS_SECRET_ACCESS_KEY=" + "aB3/" * 10, "AWS_SECRET_ACCESS_KEY=[redacted:aws-secret]"),
        ("correct%20horse%2Fbattery%2Bstaple", "[redacted:API_TOKEN]"),
        (PEM.replace("\n", "\\n"), "[redacted:private-key]"),
        (PEM[:200], "[redacted:private-key]"),
        (f"{TOKEN} {TOKEN}", "[redacted:github-token] [redacted:github-token]"),
    ],
)  # fmt: skip
def test_what_surrounds_a_secret_stays(text, redacted):
    assert REDACTOR.text(text) == redacted


@pytest.mark.parametrize(
    ("name", "secret"), [(name, secret) for name, secret in FORMS.items() if name != "jwt"]
)
def test_each_form_is_found_behind_a_name_and_an_underscore(name, secret):
    assert REDACTOR.text(f"my_{secret} and") == f"my_[redacted:{name}] and"


@pytest.mark.parametrize("name", ["github-token", "gitlab-token", "slack-token"])
def test_what_begins_as_no_word_does_is_found_in_the_midst_of_one(name):
    assert REDACTOR.text(f"token{FORMS[name]} and") == f"token[redacted:{name}] and"


def corpus():
    """Text that is no secret and may look like one."""
    dice = random.Random(7)  # noqa: S311  (the same noise each time)
    noise = dice.randbytes(60_000)
    root = Path(__file__).resolve().parents[2]
    sources = [
        *root.glob("[adw]*/**/*.py"),
        *root.glob("templates/**/*.md"),
        *root.glob("docs/**/*.md"),
        *root.glob("*.lock"),
        *root.glob("api/openapi.json"),
    ]
    skipped = {"redaction.py"}
    yield from ((p.name, p.read_text()) for p in sources if p.name not in skipped)
    yield "uuids", "\n".join(str(uuid.UUID(int=dice.getrandbits(128))) for _ in range(1000))
    digests = [
        hashlib.new(kind, noise[n : n + 9]) for n in range(500) for kind in ("sha1", "sha256")
    ]
    yield "hashes", "\n".join(digest.hexdigest() for digest in digests)
    yield (
        "npm integrity",
        "\n".join(
            f"sha512-{base64.b64encode(hashlib.sha512(noise[n : n + 9]).digest()).decode()}"
            for n in range(500)
        ),
    )
    yield "image", f"data:image/png;base64,{base64.b64encode(noise).decode()}"
    yield "wrapped", base64.encodebytes(noise).decode()
    yield "url-safe", base64.urlsafe_b64encode(noise).decode()
    yield (
        "urls",
        "postgres://postgres:postgres@localhost:5432/test redis://:pw@redis:6379 git@github.com:a/b.git https://user@example.com/ http://a.b/c:d@e",
    )
    yield (
        "variables",
        "https://${USER}:${PASSWORD}@example.com https://$U:$P@example.com Bearer $TOKEN Authorization: Bearer <token>",
    )
    yield (
        "prose",
        "The bearer token is read; bearer responsibilities. -----BEGIN CERTIFICATE----- sk-fading-circle-animation-delay task-management-of-many-words-in-a-row glpat-tokens-leak-into-the-debug-logs-405c49 xoxb-tokens-must-be-rotated-daily-405c49 sk-ant-colony-optimisation-of-routes-405c49 desk-learn-pipeline-training-with-3-models-405c49",
    )
    yield (
        "public key",
        f"-----BEGIN PUBLIC KEY-----\n{base64.encodebytes(noise[:300]).decode()}-----END PUBLIC KEY-----",
    )


def test_nothing_else_is_replaced():
    found = {name: REDACTOR.text(text) for name, text in corpus() if REDACTOR.text(text) != text}
    assert found == {}


SPLITS = st.lists(st.integers(1, 60), min_size=1, max_size=40)


def pieces(text, sizes):
    """Cut a text into pieces of these sizes, then the rest."""
    for size in sizes:
        yield text[:size]
        text = text[size:]
    yield text


@given(secret=st.sampled_from(list(FORMS.values())), sizes=SPLITS, before=st.text(max_size=20))
def test_no_secret_escapes_by_being_cut(secret, sizes, before):
    text = f"{before} {secret}\nand so on"
    out, rest = "", ""
    for piece in pieces(text, sizes):
        ready, rest = REDACTOR.settled(rest + piece)
        out += ready
    out += REDACTOR.text(rest)
    assert out == REDACTOR.text(text)
    assert secret not in out


@example(secret=PEM, sizes=[6], before="token")
@given(
    secret=st.sampled_from(list(FORMS.values())),
    sizes=SPLITS,
    before=st.sampled_from(["my_", "token", "é", "x", "-"]),
)
def test_no_secret_that_is_glued_to_a_word_escapes_by_being_cut(secret, sizes, before):
    text = f"{before}{secret}\nand so on"
    out, rest = "", ""
    for piece in pieces(text, sizes):
        ready, rest = REDACTOR.settled(rest + piece)
        out += ready
    assert secret not in out + REDACTOR.text(rest) or secret in REDACTOR.text(text)


def test_words_are_not_held_back():
    assert REDACTOR.settled("All tests are done.") == ("All tests are done.", "")
    assert REDACTOR.settled("Some tests") == ("Some tests", "")
    assert REDACTOR.settled("the key is gh") == ("the key is ", "gh")


@pytest.mark.parametrize(
    "text",
    [
        piece * (300_000 // len(piece))
        for piece in ("a", "eyJ", "-", "x://a:", "sk-", "-----BEGIN PRIVATE KEY-----\n", "bearer ")
    ],
    ids=lambda text: text[:12],
)
def test_the_cost_grows_with_the_length_and_no_faster(text):
    begin = time.process_time()
    REDACTOR.text(text)
    REDACTOR.settled(text)
    assert time.process_time() - begin < 3


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "ANTHROPIC_AUTH_TOKEN", "DB_PASSWORD", "my_secret"]
)
def test_names_of_secrets(name):
    assert is_secret_name(name)
    assert not is_secret_name("GIT_AUTHOR_NAME")


async def test_a_journal_gets_no_secret_in_any_place(tmp_path):
    at = "2026-01-01T00:00:00Z"
    body = AgentUpdate(
        turn_id="t", update={"rawInput": {"cmd": f"curl {TOKEN}", TOKEN: [1, {"x": EXACT}]}}
    )
    event = Event.model_validate({"id": "e1", "stream": "thread-1", "at": at, "body": body})
    async with open_journal(f"sqlite+aiosqlite:///{tmp_path / 'journal.db'}") as plain:
        journal = RedactedJournal(plain, REDACTOR)
        await journal.append([event], [Headline(stream="thread-1", kind="thread", title=EXACT)])
        reference = await journal.put_text(f"+{PEM}")

        assert await journal.text(reference) == "+[redacted:private-key]"
        [kept] = await journal.read("thread-1")
        assert kept.event.body.update["rawInput"]["cmd"] == "curl [redacted:github-token]"
        assert (await journal.headlines())[0].title == "[redacted:API_TOKEN]"
        assert await journal.position() == kept.position
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [s for s in (TOKEN, EXACT, "MIIEpAIBAAK") if s.encode() in written] == []


class Speaker:
    """An agent that says what it is given, in pieces."""

    def __init__(self, *bodies, error=None):
        self.bodies = bodies
        self.error = error

    async def run_turn(self, call, record, beat):
        for body in self.bodies:
            await record(body)
        if self.error:
            raise AgentError(self.error)
        return AgentAnswer(
            stop_reason=StopReason.END_TURN, agent_session="s", text=f"it is {TOKEN}"
        )

    async def close(self, session_id):
        pass


def chunk(text, kind="agent_message_chunk"):
    content = {"type": "text", "text": text}
    return AgentUpdate(turn_id="t", update={"sessionUpdate": kind, "content": content})


async def recorded(*bodies, error=None):
    """Return what reaches the record of a turn."""
    taken = []

    async def record(body):
        taken.append(body)

    runner = RedactedRunner(Speaker(*bodies, error=error), REDACTOR)
    try:
        answer = await runner.run_turn(None, record, lambda: None)
    except AgentError as failure:
        answer = failure
    return taken, answer


async def test_a_secret_over_two_chunks_does_not_escape_and_the_order_stays():
    notice = AgentNotice(turn_id="t", message="hello")
    halves = TOKEN[:12], TOKEN[12:]
    thought = chunk(halves[0], "agent_thought_chunk")
    taken, answer = await recorded(
        chunk(f"key {halves[0]}"), chunk(f"{halves[1]} end"), chunk(" gh"), notice, thought
    )

    texts = [b.update["content"]["text"] if isinstance(b, AgentUpdate) else b for b in taken]
    assert texts == ["key ", "[redacted:github-token] end", " ", "gh", notice, halves[0]]
    assert taken[-1].update["sessionUpdate"] == "agent_thought_chunk"
    assert answer.text == "it is [redacted:github-token]"


async def test_an_agents_error_is_redacted_with_all_it_came_from():
    _, error = await recorded(error=f"exit 1: {EXACT}")

    assert error.message == "exit 1: [redacted:API_TOKEN]"
    assert error.__cause__ is None


async def test_a_log_line_and_its_traceback_hold_no_secret():
    try:
        int(TOKEN)
    except ValueError as error:
        record = logging.LogRecord("x", logging.ERROR, __file__, 1, "%s failed", (EXACT,), None)
        record.exc_info = (type(error), error, error.__traceback__)

    line = RedactingFormatter(REDACTOR).format(record)

    assert TOKEN not in line
    assert EXACT not in line
    assert "[redacted:github-token]" in line
