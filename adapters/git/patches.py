"""Patches between commits."""

from adapters.git.commands import Git, GitPlace

_LIMIT_BYTES = 4 << 20


async def patch_between(git: Git, place: GitPlace, base: str, commit: str) -> str:
    """Return the patch between two commits; beyond 4 MiB its middle is cut, and marked."""
    patch = await git.run(
        place,
        *("diff-tree", "-p", "-r", "-M", "--no-color", "--no-ext-diff", "--no-textconv"),
        *("--end-of-options", base, commit),
        output_limit_bytes=_LIMIT_BYTES,
    )
    return patch.output.text()
