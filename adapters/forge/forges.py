"""All forges as one: the adapter of a project is chosen by its host.

Which hosts are forges a person has said, or everybody knows: a remote's address stands in a file that agents
can write, so a host that it names is asked nothing, and gets no token.
"""

from collections.abc import Iterable, Mapping

from adapters.forge.gitea import Gitea
from adapters.forge.github import GitHub
from adapters.forge.gitlab import GitLab
from adapters.forge.tokens import AppToken, CliToken, FixedToken, Learn, Tokens
from domain.forges.errors import ForgeAccessError
from domain.forges.ports import PullRequests
from domain.forges.projects import ForgeKind, ForgeProject
from domain.forges.pull_requests import (
    CommitStatus,
    Look,
    MergeAnswer,
    MergeRequest,
    PullRequest,
    PullRequestDraft,
    PullRequestId,
)
from domain.forges.settings import ForgeOptions

_ADAPTERS = {ForgeKind.GITHUB: GitHub, ForgeKind.GITLAB: GitLab, ForgeKind.GITEA: Gitea}
_TENANTS = ".ghe.com"


def adapter_of(options: ForgeOptions, variables: Mapping[str, str], learn: Learn) -> PullRequests:
    """Return the adapter of a forge; `variables` are those that hold tokens."""
    return _ADAPTERS[options.kind](options.root, tokens_of(options, variables, learn))


def tokens_of(options: ForgeOptions, variables: Mapping[str, str], learn: Learn) -> Tokens:
    """Return where a forge's token comes from; `learn` tells the redactor one that is fetched."""
    if options.app_id:
        return AppToken(options, learn)
    if options.cli:
        return CliToken(options.cli, options.host, learn)
    name = options.token_env or ""
    return FixedToken(variables.get(name), name)


class Forges:
    """The forges that are known; `fallback` is asked about every other host (a GitHub Enterprise of old)."""

    def __init__(
        self,
        options: Iterable[ForgeOptions],
        variables: Mapping[str, str],
        learn: Learn,
        fallback: PullRequests | None = None,
    ) -> None:
        """Make the router; the first of several options for a host counts."""
        self._known: dict[str, PullRequests] = {}
        self._tenants: dict[str, ForgeOptions] = {}
        for each in options:
            self._known.setdefault(each.host, adapter_of(each, variables, learn))
            if each.host == "github.com":
                self._tenants.setdefault(_TENANTS, each)
        self._variables = variables
        self._learn = learn
        self._fallback = fallback

    def obstacle(self, project: ForgeProject) -> str:
        """Return why nothing can be done there, and what to do; empty where something can."""
        found = self._found(project)
        return found.obstacle(project) if found else _unknown(project.host)

    async def open_pull_request(self, draft: PullRequestDraft) -> PullRequest:
        """Return the open pull request of head and base, opened now where there is none."""
        return await self._of(draft.project).open_pull_request(draft)

    async def look(self, of: PullRequestId, tags: dict[str, str]) -> Look:
        """Look at a pull request, conditionally."""
        return await self._of(of.project).look(of, tags)

    async def check_log(self, of: PullRequestId, check: str, most: int) -> str:
        """Return the end of a check's log."""
        return await self._of(of.project).check_log(of, check, most)

    async def reply(self, of: PullRequestId, thread: str, text: str, key: str) -> str:
        """Answer a review thread, once for each key."""
        return await self._of(of.project).reply(of, thread, text, key)

    async def resolve(self, of: PullRequestId, thread: str) -> None:
        """Mark a review thread as resolved."""
        await self._of(of.project).resolve(of, thread)

    async def comment(self, of: PullRequestId, text: str, key: str) -> str:
        """Comment on a pull request, once for each key."""
        return await self._of(of.project).comment(of, text, key)

    async def body(self, of: PullRequestId) -> str:
        """Return the whole text of a pull request."""
        return await self._of(of.project).body(of)

    async def edit(
        self, of: PullRequestId, *, body: str | None = None, base: str | None = None
    ) -> None:
        """Replace the body of a pull request, or change what it is merged into."""
        await self._of(of.project).edit(of, body=body, base=base)

    async def merge(self, request: MergeRequest) -> MergeAnswer:
        """Merge a pull request, or have the forge do so by itself."""
        return await self._of(request.of.project).merge(request)

    async def cancel_merge(self, of: PullRequestId) -> None:
        """Take back that the forge merges by itself."""
        await self._of(of.project).cancel_merge(of)

    async def close(self, of: PullRequestId) -> None:
        """Close a pull request without merging it."""
        await self._of(of.project).close(of)

    async def delete_branch(self, project: ForgeProject, branch: str, commit: str) -> None:
        """Delete a branch that is still at `commit`."""
        await self._of(project).delete_branch(project, branch, commit)

    async def set_status(self, project: ForgeProject, commit: str, status: CommitStatus) -> None:
        """Set a status of a commit."""
        await self._of(project).set_status(project, commit, status)

    def _of(self, project: ForgeProject) -> PullRequests:
        found = self._found(project)
        if found is None:
            raise ForgeAccessError(_unknown(project.host))
        return found

    def _found(self, project: ForgeProject) -> PullRequests | None:
        host = project.host
        if host not in self._known and host.endswith(_TENANTS) and _TENANTS in self._tenants:
            options = self._tenants[_TENANTS].model_copy(update={"host": host, "api_url": None})
            self._known[host] = adapter_of(options, self._variables, self._learn)
        return self._known.get(host, self._fallback)


def _unknown(host: str) -> str:
    return (
        f"{host} is no forge that is known here: if it is one, add it to config.toml as [[forges]] with "
        "host, kind and token_env, start Treadle again, then publish again"
    )
