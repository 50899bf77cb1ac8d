"""The remotes of a repository and their addresses, as its own configuration has them."""

from adapters.git.commands import Git, GitPlace
from domain.threads.publishing.publication import without_secrets

_MAX_REMOTES = 20


async def remotes_of(git: Git, place: GitPlace) -> dict[str, str]:
    """Return the address that each remote is pushed to, without passwords; at most 20 remotes.

    A remote with several addresses has them all, with spaces between.
    """
    listed = await git.run(
        place,
        *("config", "--null", "--get-regexp", r"^remote\..*\.(push)?url$"),
        accepts=(0, 1),
    )
    addresses: dict[str, dict[str, list[str]]] = {}
    for entry in listed.output.text().split("\0"):
        key, _, value = entry.partition("\n")
        name, _, kind = key.removeprefix("remote.").rpartition(".")
        if name:
            addresses.setdefault(name, {}).setdefault(kind, []).append(value)
    return {
        name: without_secrets(" ".join(kinds.get("pushurl") or kinds["url"]))
        for name, kinds in list(addresses.items())[:_MAX_REMOTES]
        if kinds.get("pushurl") or kinds.get("url")
    }
