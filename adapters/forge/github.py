"""Pull requests over GitHub's REST API; GitHub Enterprise speaks the same.

The token goes nowhere but to GitHub's own hosts, or to the address that a person has set: a remote's
address stands in a file that agents can write.
"""

import time
from datetime import timedelta
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel, TypeAdapter, ValidationError

from domain.forges.errors import ForgeBusyError, ForgeError
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import PullRequest, PullRequestDraft

_GITHUB = "github.com"
_TENANTS = ".ghe.com"
_ANSWER_BYTES = 4 << 20
_WORDS = 500
_SECONDS = 30.0
_LONGEST_WAIT = timedelta(hours=1)
_SHORTEST_WAIT = timedelta(seconds=1)
_TOO_MANY = frozenset({403, 429})
_MOVED = frozenset({301, 302, 307, 308})
_RATE_LIMITED = 429
_SERVER_ERRORS = 500

T = TypeVar("T")


class _Found(BaseModel):
    number: int
    html_url: str


class _Problem(BaseModel):
    message: str = ""


class _Trouble(BaseModel):
    message: str = ""
    errors: list[_Problem | str] = []


_FOUND = TypeAdapter(_Found)
_LISTED = TypeAdapter(list[_Found])


class GitHub:
    """Opens pull requests, each once."""

    def __init__(self, token: str | None, token_name: str, api_url: str | None = None) -> None:
        """Make the port; `token_name` is the variable that the token is read from, for messages."""
        self._token = token
        self._token_name = token_name
        self._api_url = api_url

    def obstacle(self, project: ForgeProject) -> str:
        """Return why no pull request can be opened there, and what to do; empty where one can."""
        if self._root(project) is None:
            return (
                f"{project.host} is not known as a GitHub: if it is one, set TREADLE_FORGE_API_URL="
                f"https://{project.host}/api/v3, then publish again"
            )
        if not self._token:
            return f"there is no token in {self._token_name}: set it and start Treadle again"
        return ""

    async def open_pull_request(self, draft: PullRequestDraft) -> PullRequest:
        """Return the open pull request of head and base, opened now where there is none.

        Raises:
            ForgeBusyError: The forge does not answer, or wants to be asked later: ask again.
            ForgeError: It refuses; the message says why and what to do.
        """
        obstacle = self.obstacle(draft.project)
        if obstacle:
            raise ForgeError(obstacle)
        project = draft.project
        path = f"/repos/{quote(project.owner, safe='')}/{quote(project.name, safe='')}/pulls"
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self._token}",
            "User-Agent": "treadle",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        root = self._root(project) or ""
        async with httpx.AsyncClient(base_url=root, headers=headers, timeout=_SECONDS) as client:
            asker = _Asker(client, draft, self._token_name)
            found = await asker.find(path)
            return found or await asker.make(path)

    def _root(self, project: ForgeProject) -> str | None:
        """Return the API's address of a project; None where the token must not go."""
        if self._api_url:
            return self._api_url.rstrip("/")
        if project.host == _GITHUB:
            return f"https://api.{_GITHUB}"
        if project.host.endswith(_TENANTS):
            return f"https://api.{project.host}"
        return None


class _Asker:
    """One pull request's questions to the forge."""

    def __init__(self, client: httpx.AsyncClient, draft: PullRequestDraft, token_name: str) -> None:
        self._client = client
        self._draft = draft
        self._token_name = token_name

    async def find(self, path: str) -> PullRequest | None:
        """Return the open pull request that is there already."""
        draft = self._draft
        head = f"{draft.project.owner}:{draft.head}"
        answer = await self._ask(
            "GET", path, params={"state": "open", "head": head, "base": draft.base}
        )
        listed = _read(_LISTED, answer)
        return _pull_request(listed[0], is_new=False) if listed else None

    async def make(self, path: str) -> PullRequest:
        """Open one; where somebody was faster, theirs is returned."""
        draft = self._draft
        body = {"title": draft.title, "body": draft.body, "head": draft.head, "base": draft.base}
        try:
            made = await self._ask("POST", path, json=body)
            return _pull_request(_read(_FOUND, made), is_new=True)
        except ForgeError as error:
            if "already exists" not in error.message:
                raise
        found = await self.find(path)
        if found is None:
            raise ForgeError(f"a pull request exists already: look at {draft.compare_url}")
        return found

    async def _ask(self, method: str, path: str, **content: Any) -> bytes:
        request = self._client.build_request(method, path, **content)
        try:
            response = await self._client.send(request, stream=True)
            try:
                raw = await _limited(response)
            finally:
                await response.aclose()
        except httpx.HTTPError as error:
            where = f"{request.url.host}: {type(error).__name__} {error}".strip()
            raise ForgeBusyError(f"the forge does not answer ({where})") from error
        if not response.is_success:
            raise self._refusal(response, raw)
        return raw

    def _refusal(self, response: httpx.Response, raw: bytes) -> ForgeError:
        status, words = response.status_code, _error_text(raw)
        project = f"{self._draft.project.owner}/{self._draft.project.name}"
        wait = _wait(response)
        if status in _TOO_MANY and wait is not None:
            seconds = int(wait.total_seconds())
            return ForgeBusyError(
                f"the forge's rate limit is used up for {seconds} s: {words}", wait
            )
        if status >= _SERVER_ERRORS:
            return ForgeBusyError(f"the forge fails with {status}: {words}", wait)
        if status in _MOVED:
            return ForgeError(f"{project} has moved: give the remote its new address, then publish")
        meant = {
            401: f"the token in {self._token_name} is wrong or has expired",
            403: f"the token in {self._token_name} must be allowed to write pull requests of {project}",
            404: f"{project} is not there, or the token in {self._token_name} must not see it",
            410: f"{project} takes no pull requests",
            422: f"the pull request of {self._draft.head} against {self._draft.base} is refused",
        }
        return ForgeError(f"{meant.get(status, f'the forge answered {status}')}: {words}")


def _read(shape: TypeAdapter[T], raw: bytes) -> T:
    try:
        return shape.validate_json(raw)
    except ValidationError as error:
        raise ForgeError("the forge's answer is no pull request: is it a GitHub?") from error


def _pull_request(found: _Found, *, is_new: bool) -> PullRequest:
    return PullRequest(number=found.number, url=found.html_url, is_new=is_new)


async def _limited(response: httpx.Response) -> bytes:
    content = bytearray()
    async for chunk in response.aiter_bytes():
        content += chunk
        if len(content) > _ANSWER_BYTES:
            raise ForgeError("the forge's answer is too large: is it a GitHub?")
    return bytes(content)


def _error_text(raw: bytes) -> str:
    """Return the words of an error's body, of its single problems too."""
    try:
        trouble = _Trouble.model_validate_json(raw)
    except ValidationError:
        return "it says no more"
    problems = (p if isinstance(p, str) else p.message for p in trouble.errors)
    words = "; ".join(part for part in (trouble.message, *problems) if part)
    return words[:_WORDS] or "it says no more"


def _wait(response: httpx.Response) -> timedelta | None:
    """Return how long the forge wants to be left alone, at most an hour; None where it says nothing."""
    headers = response.headers
    after = headers.get("retry-after", "")
    reset = headers.get("x-ratelimit-reset", "")
    if after.isdecimal():
        wait = timedelta(seconds=min(int(after), 86_400))
    elif headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        wait = timedelta(seconds=min(max(int(reset) - time.time(), 0), 86_400))
    elif response.status_code == _RATE_LIMITED:
        wait = timedelta(minutes=1)
    else:
        return None
    return min(max(wait, _SHORTEST_WAIT), _LONGEST_WAIT)
