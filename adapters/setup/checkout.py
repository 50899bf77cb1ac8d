"""What a proposal of a recipe is made from, read from git and from the user's checkout."""

import os
from shutil import which

from adapters.git.commands import Git, GitPlace
from adapters.git.repositories import Repository
from domain.recipes.checkout_files import READ, CheckoutFiles

_TEXT_BYTES = 256 << 10


async def read_checkout(git: Git, repository: Repository, programs: str) -> CheckoutFiles:
    """Return a repository's files at its head; `programs` is the PATH that commands will have."""
    place = GitPlace(repository.root, guard=repository.place.guard)
    listed = await git.run(
        place, "ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD", is_long=True
    )
    tracked = frozenset(os.fsdecode(name) for name in listed.output.content().split(b"\0") if name)
    texts = {path: await _text(git, place, path) for path in READ if path in tracked}
    ignored = await git.run(
        place,
        *("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"),
        is_long=True,
    )
    names = (os.fsdecode(name) for name in ignored.output.content().split(b"\0") if name)
    return CheckoutFiles(
        tracked, texts, tuple(names), lambda program: which(program, path=programs) is not None
    )


async def _text(git: Git, place: GitPlace, path: str) -> str:
    shown = await git.run(place, "cat-file", "blob", f"HEAD:{path}", accepts=(0, 128))
    content = shown.output.content() if shown.returncode == 0 else b""
    return content[:_TEXT_BYTES].decode("utf-8", "replace")
