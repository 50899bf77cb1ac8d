"""`treadle agents`: the table with what fixes it, a try that streams, trust that is asked for."""

from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from cli.app import app
from domain.agents.agents import Usage
from domain.agents.checks import Capabilities, CheckKind, CheckResult, Seen
from domain.agents.events import AgentCheckEnded, AgentCheckProgress
from domain.agents.profiles import Scope
from domain.agents.status import AgentDetails, AgentStatus, LoginState, Missing
from domain.conversations.events import AgentUpdate
from domain.core.event import Event, JournaledEvent

NOW = datetime(2026, 11, 22, 10, tzinfo=UTC)
READY = AgentStatus(
    name="codex",
    scope=Scope.BUILT_IN,
    path="/t/codex.yaml",
    title="Codex",
    is_default=True,
    is_installed=True,
    program="/p/codex-acp",
    version="2.6.0",
    login=LoginState.YES,
    login_by="OPENAI_API_KEY",
    seen=Seen(key="k", at=NOW, capabilities=Capabilities(resume=True, mcp_http=True)),
)
AWAY = AgentStatus(
    name="claude",
    scope=Scope.BUILT_IN,
    path="/t/claude.yaml",
    is_installed=False,
    missing=(Missing(what="it is not installed", fix="treadle agents install claude"),),
)
BROKEN = AgentStatus(
    name="mine",
    scope=Scope.USER,
    path="/c/mine.yaml",
    problem="line 1: unknown key 'comand'\x1b[31m",
    missing=(Missing(what="line 1: unknown key 'comand'\x1b[31m", fix="fix /c/mine.yaml"),),
)
HOUSE = AgentStatus(
    name="house",
    scope=Scope.REPOSITORY,
    path="/r/.treadle/agents/house.yaml",
    content_hash="ab12" * 16,
    is_trusted=False,
    is_installed=None,
)
STREAM = "agents/codex/check-3"


def told(*bodies):
    chunks = [": ping\n\n"]
    for number, body in enumerate(bodies, 1):
        event = Event(id=f"{STREAM}:{number}", stream=STREAM, at=NOW, body=body)
        journaled = JournaledEvent(position=number, event=event)
        chunks.append(f"id: {number}\ndata: {journaled.model_dump_json()}\n\n")
    return chunks


def words(text):
    chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
    return AgentUpdate(turn_id="t", update=chunk)


def ended(**result):
    known = {"kind": CheckKind.TRY, "duration_ms": 1200, "at": NOW, **result}
    return AgentCheckEnded(agent="codex", result=CheckResult(**known))


@pytest.fixture
def treadle(api, settings):
    """Run a command against an API that has four agents."""
    del settings
    listed = [each.model_dump(mode="json") for each in (READY, AWAY, BROKEN, HOUSE)]
    api.answers["GET /v1/agents"] = (200, {"agents": listed})
    for status in (READY, HOUSE):
        details = AgentDetails(
            status=status, command=("codex-acp",), environment=("OPENAI_API_KEY",)
        )
        api.answers[f"GET /v1/agents/{status.name}"] = (200, details.model_dump(mode="json"))
    for kind in CheckKind:
        api.answers[f"POST /v1/agents/codex/{kind}"] = (202, {"check": 3, "stream": STREAM})

    def run(*arguments, **options):
        return CliRunner().invoke(app, ["agents", *arguments], **options)

    return run


def test_the_table_says_what_is_there_and_the_command_that_fixes_what_is_not(treadle):
    said = treadle().stdout
    assert "codex *" in said
    assert "2.6.0" in said
    assert "yes (OPENAI_API_KEY)" in said
    assert "resume http" in said
    assert "claude: it is not installed. treadle agents install claude" in said
    assert "on another host" in said
    assert "unknown key 'comand'�" in said


def test_agents_that_are_only_not_there_share_a_line(treadle, api):
    fix = Missing(what="it is not installed", fix="treadle agents install qwen")
    other = AWAY.model_copy(update={"name": "qwen", "missing": (fix,)})
    listed = [each.model_dump(mode="json") for each in (READY, AWAY, other, BROKEN)]
    api.answers["GET /v1/agents"] = (200, {"agents": listed})

    said = treadle().stdout
    assert "not installed: claude, qwen. treadle agents install NAME" in said
    assert "it is not installed" not in said
    assert "fix /c/mine.yaml" in said


def test_an_agent_is_shown(treadle):
    said = treadle("show", "codex").stdout
    for part in ("Codex", "/t/codex.yaml", "/p/codex-acp", "OPENAI_API_KEY"):
        assert part in said


def test_a_try_streams_the_answer_and_says_what_it_cost(treadle, api):
    usage = Usage(input_tokens=1234, output_tokens=5, cost=0.0123, currency="USD")
    said = (AgentCheckProgress(message="it starts: codex-acp 2.6.0"), words("The word "))
    # the first connection breaks in the middle: the second goes on behind it
    whole = told(*said, words("is heron."), ended(is_well=True, version="2.6.0", usage=usage))
    api.streams = [whole[:3], [whole[0], *whole[3:]]]

    done = treadle("try", "codex")

    assert done.exit_code == 0
    assert done.stdout == "The word is heron.\n"
    assert "it starts: codex-acp 2.6.0" in done.stderr
    assert "1,234 tokens in, 5 out, 0.0123 USD" in done.stderr
    assert [head["Last-Event-ID"] for path, head, _ in api.got if "stream" in path] == ["0", "2"]


def test_a_look_names_the_command_that_prints_what_was_found(treadle, api):
    api.streams = [told(ended(is_well=True, version="2.6.0"))]
    assert "What it offers: treadle agents show codex" in treadle("look", "codex").stderr


@pytest.mark.parametrize("kind", [k for k in CheckKind if k is not CheckKind.SESSIONS])
def test_a_check_that_fails_ends_with_1_and_the_reason(treadle, api, kind):
    api.streams = [told(ended(failure="log in first"))]
    done = treadle(str(kind), "codex")
    assert done.exit_code == 1
    assert "Failed after 1.2 s: log in first" in done.stderr


def test_a_check_as_json_is_its_result_alone(treadle, api):
    api.streams = [told(words("The word"), ended(is_well=True, text="The word"))]
    done = treadle("try", "codex", "--json")
    assert CheckResult.model_validate_json(done.stdout).text == "The word"


def test_an_agent_is_added_by_the_command_behind_the_dashes(treadle, api):
    details = AgentDetails(status=BROKEN.model_copy(update={"problem": ""}))
    api.answers["POST /v1/agents"] = (201, details.model_dump(mode="json"))

    done = treadle("add", "mine", "--env", "MY_KEY", "--", "./my-agent", "--acp", "-v")

    assert done.exit_code == 0
    _, _, body = api.got[-1]
    assert body == {
        "name": "mine",
        "command": ["./my-agent", "--acp", "-v"],
        "title": "",
        "environment": ["MY_KEY"],
    }
    assert "treadle agents try mine" in done.stderr


def test_trust_shows_the_agent_and_sends_what_was_shown_after_a_yes(treadle, api):
    trusted = HOUSE.model_copy(update={"is_trusted": True}).model_dump(mode="json")
    api.answers["POST /v1/agents/house/trust"] = (200, trusted)

    refused = treadle("trust", "house", input="n\n")
    assert refused.exit_code == 1
    assert not [path for path, _, _ in api.got if path.startswith("POST")]

    done = treadle("trust", "house", input="y\n")
    assert done.exit_code == 0
    assert "codex-acp" in done.stdout
    assert api.got[-1][2]["content_hash"] == HOUSE.content_hash


def test_trust_with_nobody_to_ask_names_the_hash(treadle):
    done = treadle("trust", "house", input="")
    assert done.exit_code == 1
    assert f"treadle agents trust house --hash {HOUSE.content_hash}" in str(done.exception)


def test_a_check_on_another_host_names_it(treadle, api):
    api.answers["POST /v1/agents/codex/try"] = (202, {"check": 3, "stream": STREAM})
    api.streams = [told(ended(is_well=True))]
    assert treadle("try", "codex", "--host", "build-1").exit_code == 0
    path, _, body = next(row for row in api.got if row[0].startswith("POST"))
    assert path == "POST /v1/agents/codex/try?host=build-1"
    assert "repository" not in body


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--host", "build-1", "install", "codex"), "after `treadle agents install`"),
        (("--repo", "/somewhere", "show", "codex"), "after `treadle agents show`"),
        (("add", "mine", "--host", "build-1", "--", "x"), "on the API's machine"),
        (("--host", "build-1", "--repo", "app"), "must be an absolute path on host build-1"),
    ],
)
def test_a_host_that_would_be_passed_over_is_refused(treadle, api, arguments, words):
    done = treadle(*arguments)
    assert done.exit_code != 0
    assert words in f"{done.exception} {done.output}"
    assert api.got == []
