"""Every agent reaches its model by HTTPS through Treadle's proxy, with no setting of its own and unasked.

The model stub answers under the name of the vendor's own server, or of one that a variable of the agent
names. It is reached through a proxy of the user's, which leads nowhere else.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.agents.authority import Authority, authority
from tests.agents.bench import Bench, Conversation, open_at
from tests.agents.contenders import CONTENDERS, KEY, MODEL, Contender, NotHereError, Pointing
from tests.agents.https_model import UserProxy, user_proxy
from tests.agents.installation import CACHE, PROGRAMS, install
from tests.agents.scenarios import assert_said, tried
from tests.e2e.engine import Engine
from tests.model_stub import ModelStub, serving

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]  # the first run installs the agent

REGISTRY = "pypi.org"
FETCH = f'import urllib.request as r; print(r.urlopen("https://{REGISTRY}/").read())'


@dataclass(frozen=True)
class Way:
    """Where an agent finds its model; `pointing` is what tells it, where that is not its contender's.

    `seconds` is how long its command takes, for agents that send statistics after a while.
    """

    url: str
    pointing: Pointing | None = None
    seconds: int = 0

    @property
    def host(self) -> str:
        """The model's host."""
        return urlsplit(self.url).hostname or ""


ANTHROPIC = Way("https://api.anthropic.com", Pointing({"ANTHROPIC_API_KEY": KEY}))
OPENAI = Way(
    "https://api.openai.com",
    Pointing({"OPENAI_API_KEY": KEY, "CODEX_CONFIG": json.dumps({"model": MODEL})}),
)
NAMED = Way("https://model.treadle.test")
WAYS = {
    "treadle": ANTHROPIC,
    "codex": OPENAI,
    "claude": ANTHROPIC,
    "opencode": Way("https://openrouter.ai"),
    "gemini": Way("https://generativelanguage.googleapis.com", seconds=65),
    "qwen": NAMED,
    "copilot": NAMED,
    "vibe": Way("https://api.mistral.ai"),
    "fast-agent": NAMED,
    "agentao": NAMED,
}


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda one: one.name)
async def test_an_agent_reaches_its_model_by_https(
    contender: Contender, folder: Path, *, is_every_agent: bool
):
    if not (contender.is_in_ci or is_every_agent):
        pytest.skip("`make agents` runs it")
    try:
        contender.find_python()
    except NotHereError as error:
        pytest.skip(str(error))
    await installed(contender, folder)
    way = WAYS[contender.name]
    async with behind_a_proxy(contender, way, folder) as (bench, proxy):
        shown = [name async for name, _ in tried(bench)]
        chat = Conversation(bench)
        await chat.open("Hosts: reach")
        end = await chat.ended()
        write_log(bench, proxy, chat)

    assert shown == ["try"]
    assert_said(end, "I am through.")
    assert f"{way.host}:443" in proxy.reached
    assert f"{REGISTRY}:443" in proxy.reached, "its commands find the proxy, too"
    assert "ok" in bench.after("reach", 0)
    assert [asked.question.title for asked in chat.told("question_asked")] == []


async def installed(contender: Contender, folder: Path) -> None:
    """Install an agent before the way out leads to its model alone."""
    if contender.profile is None:
        (folder / "installing").mkdir()
        engine = Engine(folder / "installing")
        engine.environment["TREADLE_PROGRAMS_DIR"] = str(PROGRAMS)
        await install(engine, contender.name)


@asynccontextmanager
async def behind_a_proxy(
    contender: Contender, way: Way, folder: Path
) -> AsyncIterator[tuple[Bench, UserProxy]]:
    """Open an agent's engine in a network with a proxy, and an authority of its own."""
    signed = authority(folder, (way.host, REGISTRY))
    model = ModelStub(script(way))
    shown = {"ssl_certfile": str(signed.chain), "ssl_keyfile": str(signed.key)}
    with serving(model, **shown) as served:
        port = urlsplit(served).port or 0
        async with user_proxy((way.host, REGISTRY), port) as proxy:
            pointing = way.pointing or contender.point(way.url)
            pointing = replace(pointing, variables=pointing.variables | surroundings(signed, proxy))
            async with open_at(contender, folder, model, pointing) as bench:
                yield bench, proxy


def script(way: Way) -> dict[str, Any]:
    """Return what the model says: a command, then that it is through."""
    reach = {
        "name": "reach",
        "when": {"prompt": "Hosts: reach", "tools": True},
        "turns": [
            {"calls": [{"run": f"sleep {way.seconds}; python3 -c '{FETCH}'"}]},
            {"text": "I am through."},
        ],
    }
    return {"models": [MODEL], "default": {"text": "Nothing to add."}, "rules": [reach]}


def surroundings(signed: Authority, proxy: UserProxy) -> dict[str, str]:
    """Return what people set in such a network, for all that they run there."""
    files = dict.fromkeys(("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"), str(signed.own))
    return {"HTTPS_PROXY": proxy.url, **files}


def write_log(bench: Bench, proxy: UserProxy, chat: Conversation) -> None:
    """Keep where the agent went, for whoever wants to know why it failed."""
    events = [e.model_dump(mode="json") for e in chat.events]
    places = {"reached": proxy.reached, "missed": proxy.missed}
    told = json.dumps({**places, "steps": bench.model.log(), "events": events}, indent=1)
    (CACHE / f"hosts-{bench.contender.name}.json").write_text(told)
