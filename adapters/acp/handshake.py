"""Opens an agent's session: initialize, then resume, load or new, then its choices."""

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from adapters.acp.choices import Offers, wanted
from adapters.acp.endings import failure_of
from adapters.acp.limits import clipped
from adapters.acp.wire import RefusedError, Wire
from adapters.tolerant import as_dict, as_list, as_text
from domain.agents.agents import READERS, TurnInput
from domain.agents.limits.troubles import AUTHENTICATE
from domain.agents.profiles import AgentProfile
from domain.core.errors import AgentError

VERSION = 1
OPEN_SECONDS = 120.0
MAX_NAME_BYTES = 200
MAX_SESSION_ID = 512
CAPABILITIES: dict[str, Any] = {
    "session": {"configOptions": {"boolean": {}}, "notices": {}, "compaction": {}},
}
CLIENT = {"name": "treadle", "title": "Treadle", "version": "1"}

_BY_KEY = re.compile(r"api.?key", re.IGNORECASE)


@dataclass
class Opened:
    """The agent's session: its id, whether it is an earlier one, and what it offers."""

    agent_session: str
    is_resumed: bool
    offers: Offers
    notices: list[str] = field(default_factory=list[str])


def client_side(profile: AgentProfile, turn: TurnInput) -> tuple[str, ...]:
    """Return what of the client's side an agent is offered: nothing to those that only read."""
    return () if turn.role in READERS else profile.client


async def initialize(
    wire: Wire, profile: AgentProfile, seconds: float, client: Collection[str] = ()
) -> dict[str, Any]:
    """Agree on the version; returns what the agent says of itself.

    Files and terminals of ours are offered to few: agents bring their own.

    Raises:
        AgentError: No answer in time, or another version.
    """
    params: dict[str, Any] = {
        "protocolVersion": VERSION,
        "clientCapabilities": {
            "fs": dict.fromkeys(("readTextFile", "writeTextFile"), "fs" in client),
            "terminal": "terminal" in client,
            **CAPABILITIES,
        },
        "clientInfo": CLIENT,
    }
    try:
        about = await wire.request("initialize", params, seconds)
    except TimeoutError as error:
        raise AgentError(f"it did not answer `initialize` within {seconds:.0f} s") from error
    except RefusedError as error:
        raise AgentError(f"it refused `initialize`: {_reason(error)}") from error
    version = about.get("protocolVersion")
    if not isinstance(version, int):
        raise AgentError("its answer to `initialize` names no version of the protocol")
    if version != VERSION:
        raise AgentError(
            f"it speaks version {version} of the Agent Client Protocol, Treadle speaks {VERSION}: "
            f"use another version of {profile.name}"
        )
    return about


def version_of(about: dict[str, Any]) -> str:
    """Return the agent's name and version as it told them."""
    info = as_dict(about.get("agentInfo"))
    words = filter(None, (as_text(info.get("name")), as_text(info.get("version"))))
    return clipped(" ".join(words), MAX_NAME_BYTES)


async def open_session(
    wire: Wire, about: dict[str, Any], params: dict[str, Any], earlier: str | None, login: str = ""
) -> Opened:
    """Open the earlier session where the agent can, else a new one, with ACP's `params` of both.

    `login` is the way to log in that its profile names.

    Raises:
        AgentError: The agent opens none.
        LoginNeededError: It wants a login.
        RefusedByProviderError: Its provider refused.
    """
    notices: list[str] = []
    way_in = _way_in(about, login)
    for method in _ways_back(about) if earlier else ():
        try:
            offers = await _asked(wire, method, {**params, "sessionId": earlier}, way_in)
        except (RefusedError, TimeoutError) as error:
            notices.append(f"{method} of {earlier} did not work: {_reason(error)}")
        else:
            return Opened(earlier or "", is_resumed=True, offers=Offers(offers), notices=notices)
    if earlier:
        notices.append(f"the earlier session {earlier} is lost; a new one is opened")
    try:
        offers = await _asked(wire, "session/new", params, way_in)
    except (RefusedError, TimeoutError) as error:
        message = f"it opened no session: {_reason(error)}{_login(about, error)}"
        is_refused = isinstance(error, RefusedError)
        raise (
            failure_of(error.said, message, error.code) if is_refused else AgentError(message)
        ) from error
    session_id = as_text(offers.get("sessionId"))
    if not session_id:
        raise AgentError("it opened a session without an id")
    if len(session_id) > MAX_SESSION_ID:
        raise AgentError(f"it opened a session with an id of {len(session_id)} characters")
    return Opened(session_id, is_resumed=False, offers=Offers(offers), notices=notices)


async def choose(
    wire: Wire,
    opened: Opened,
    profile: AgentProfile,
    turn: TurnInput,
    *,
    asks: bool = False,
    is_confined: bool = False,
) -> list[str]:
    """Set model, options and mode of the turn; returns what could not be set."""
    choices = list(wanted(profile, turn, opened.offers, asks=asks, is_confined=is_confined))
    notes = [await opened.offers.choose(wire, opened.agent_session, choice) for choice in choices]
    return [note for note in notes if note]


async def _asked(wire: Wire, method: str, params: dict[str, Any], way_in: str) -> dict[str, Any]:
    """Ask for a session; where the agent wants `authenticate` first, do that and ask again."""
    try:
        return await wire.request(method, params, OPEN_SECONDS)
    except RefusedError as error:
        if error.code != AUTHENTICATE or not way_in:
            raise
    with suppress(RefusedError, TimeoutError):  # it says what it wants when it is asked again
        await wire.request("authenticate", {"methodId": way_in}, OPEN_SECONDS)
    return await wire.request(method, params, OPEN_SECONDS)


def _way_in(about: dict[str, Any], login: str) -> str:
    """Return the way to log in that needs no person: the profile's, or one by a key in a variable."""
    methods = [as_dict(method) for method in as_list(about.get("authMethods"))]
    by_key = [
        as_text(method.get("id"))
        for method in methods
        if method.get("type") == "env_var" or _BY_KEY.search(as_text(method.get("id")))
    ]
    return login or next(iter(by_key), "")


def _ways_back(about: dict[str, Any]) -> Iterator[str]:
    capabilities = as_dict(about.get("agentCapabilities"))
    if as_dict(capabilities.get("sessionCapabilities")).get("resume") is not None:
        yield "session/resume"
    if capabilities.get("loadSession"):
        yield "session/load"


def _reason(error: RefusedError | TimeoutError) -> str:
    return str(error) or "no answer"


def _login(about: dict[str, Any], error: BaseException) -> str:
    if not isinstance(error, RefusedError) or error.code != AUTHENTICATE:
        return ""
    methods = [as_dict(m) for m in as_list(about.get("authMethods"))]
    names = ", ".join(as_text(m.get("name")) or as_text(m.get("id")) for m in methods)
    return f". Log in with the agent's own command first (it offers: {clipped(names, MAX_NAME_BYTES) or 'its own way'})"
