"""What answers in place of a tracker, such as a proxy, is told in words by each adapter, and nothing of it is believed."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from adapters.forge.tokens import FixedToken
from adapters.trackers.github import GitHubIssues
from adapters.trackers.gitlab import GitLabIssues
from adapters.trackers.jira import JiraIssues
from adapters.trackers.linear import LinearIssues
from adapters.trackers.understood import Understood
from domain.forges.errors import ForgeError, ForgeGoneError
from domain.forges.issues import IssueId, IssueQuery

KINDS = {
    "github": (GitHubIssues, "acme/app"),
    "gitlab": (GitLabIssues, "acme/app"),
    "jira": (JiraIssues, "ACME"),
    "linear": (LinearIssues, "ACME"),
}
REF = IssueId(tracker="t", id="7", key="acme/app#7")


@asynccontextmanager
async def answering(content: bytes):
    """Answer every request with the same; yields the address."""

    async def answer(reader, writer) -> None:
        await reader.readuntil(b"\r\n\r\n")
        length = f"Content-Length: {len(content)}"
        writer.write(f"HTTP/1.1 200 OK\r\n{length}\r\nConnection: close\r\n\r\n".encode() + content)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize("content", [b"[1]", b'{"login": "secret-word"}', b'[{"id": []}]'])
@pytest.mark.parametrize("kind", KINDS)
async def test_an_answer_of_another_shape_is_a_refusal(kind, content):
    made, project = KINDS[kind]
    async with answering(content) as root:
        tracker = Understood(made(project, root, FixedToken("t", "TOKEN")))
        for asked in (
            tracker.changed_issues(IssueQuery(project=project), "", {}),
            tracker.issue(REF),
            tracker.comment(REF, "text", "key"),
        ):
            with pytest.raises(ForgeError) as refused:
                await asked
            assert "secret-word" not in refused.value.message


async def test_a_refusal_stays_what_it_is():
    class Gone:
        async def issue(self, ref):
            raise ForgeGoneError("gone")

    with pytest.raises(ForgeGoneError, match="gone"):
        await Understood(Gone()).issue(REF)


@pytest.mark.parametrize("kind", KINDS)
async def test_an_address_that_is_none_is_a_refusal(kind):
    made, project = KINDS[kind]
    tracker = Understood(made(project, "https://-\u0644.example/api", FixedToken("t", "TOKEN")))
    with pytest.raises(ForgeError, match="is its address right"):
        await tracker.issue(REF)
