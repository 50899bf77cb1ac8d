"""The content of a file at a commit: only of commits that are a thread's own."""

from adapters.git.commands import Git, GitPlace
from adapters.git.manifests import Manifests
from adapters.git.repositories import Repositories
from domain.core.changes import ChangesQuery
from domain.core.contents import (
    MAX_FILE_BYTES,
    ContentKind,
    ContentQuery,
    FileContent,
    content_of,
)
from domain.core.errors import RepositoryError

_BESIDE = "../"
_NONE = (0, 1, 128, 129)


async def read_content(
    git: Git, repositories: Repositories, manifests: Manifests, query: ContentQuery
) -> FileContent:
    """Return a file as it is in a commit; what is no file there, like a folder, is missing.

    Raises:
        RepositoryError: The commit is not of the thread's branch or checkpoints.
    """
    place = (await repositories.find(query.repository)).place
    await refuse_foreign(git, place, query, query.commit)
    commit, path = query.commit, query.path
    if path.startswith(_BESIDE):
        name, _, path = path.removeprefix(_BESIDE).partition("/")
        other = next((each for each in query.beside if each.name == name), None)
        if other is None:
            return FileContent()
        commit = (await manifests.of(place, commit, query.beside))[name]
        place = (await repositories.find(other.repository)).place
    return await _read(git, place, f"{commit}:{path}", query.offset)


async def refuse_foreign(
    git: Git, place: GitPlace, query: ContentQuery | ChangesQuery, commit: str
) -> None:
    """Refuse a commit that no ref of the thread holds, whoever else's it may be.

    Raises:
        RepositoryError: The thread has no such commit.
    """
    found = await git.run(
        place,
        *("for-each-ref", "--count=1", "--format=%(refname)", f"--contains={commit}"),
        *(f"refs/heads/{query.branch}", f"refs/treadle/{query.thread_id}/"),
        accepts=_NONE,
    )
    if found.returncode != 0 or not found.output.text().strip():
        raise RepositoryError(
            f"thread {query.thread_id} has no commit {commit[:12]}: show its changes again"
        )


async def _read(git: Git, place: GitPlace, name: str, offset: int) -> FileContent:
    oid = await git.run(
        place, "rev-parse", "--verify", "--quiet", "--end-of-options", name, accepts=_NONE
    )
    blob = oid.output.text().strip()
    if oid.returncode != 0:
        return FileContent()
    kind = await git.run(place, "cat-file", "-t", blob, accepts=_NONE)
    if kind.output.text().strip() != "blob":
        return FileContent()
    size = int(await git.line(place, "cat-file", "-s", blob))
    if size > MAX_FILE_BYTES:
        return FileContent(kind=ContentKind.TOO_LARGE, size_bytes=size)
    found = await git.run(place, "cat-file", "blob", blob)
    return content_of(found.output.content(), offset)
