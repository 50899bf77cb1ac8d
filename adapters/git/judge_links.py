"""Changed files that a link with a judge's name leads to: `AGENTS.md -> docs/guide.md`."""

from collections.abc import Collection, Sequence
from pathlib import PurePosixPath

from adapters.git.commands import Git, GitPlace, fields
from domain.verification.judges.names import judges_among

_MOST_LINKS = 200
_MOST_HOPS = 8
_LINK = "120000 "


async def changed_through_links(
    git: Git, place: GitPlace, commit: str, changed: Collection[str]
) -> tuple[str, ...]:
    """Return the links of a commit that verify or instruct and lead to a changed file, and the files."""
    listed = await git.run(
        place, *("ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit), is_long=True
    )
    entries = (e.partition("\t") for e in fields(listed.output.content()) if e.startswith(_LINK))
    links = {name: about.split(" ")[2] for about, _, name in entries}
    if not links:
        return ()
    targets = await _targets(git, place, links)
    found: list[str] = []
    for name in (name for name in targets if judges_among([name])):
        end = _end_of(name, targets)
        led = [one for one in changed if one == end or one.startswith(f"{end}/")] if end else []
        found += [name, *led] if led else []
    return tuple(dict.fromkeys(found))


async def _targets(git: Git, place: GitPlace, links: dict[str, str]) -> dict[str, str]:
    """Return where links lead, as they say it: those named like judges first."""
    names = sorted(links, key=lambda name: not judges_among([name]))[:_MOST_LINKS]
    asked = "".join(f"{links[name]}\n" for name in names)
    answer = await git.run(place, "cat-file", "--batch", stdin=asked.encode())
    return dict(zip(names, _contents(answer.output.content(), len(names)), strict=True))


def _contents(output: bytes, count: int) -> Sequence[str]:
    found: list[str] = []
    for _ in range(count):
        head, _, output = output.partition(b"\n")
        size = int(head.split(b" ")[2])
        found.append(output[:size].decode("utf-8", "backslashreplace"))
        output = output[size + 1 :]
    return found


def _end_of(name: str, targets: dict[str, str]) -> str:
    """Return where a link leads in the end, through others; empty where it leads out."""
    for _ in range(_MOST_HOPS):
        above = (str(folder) for folder in PurePosixPath(name).parents)
        through = next((path for path in (name, *above) if path in targets), None)
        if through is None:
            return name
        rest = PurePosixPath(name).relative_to(through)
        name = _joined(PurePosixPath(through).parent / targets[through] / rest)
        if not name:
            return ""
    return ""


def _joined(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "/" or (part == ".." and not parts):
            return ""
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)
