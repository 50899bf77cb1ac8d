"""Links in a container's files: none leads what bubblewrap makes there to files of this host.

While it mounts, bubblewrap follows the links of its new root, and this host's files still have a name
there. An image, or who works in a container, may have planted one where a folder of ours is to be shown.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

_MOVES = frozenset({"--bind", "--ro-bind", "--bind-try", "--ro-bind-try", "--dev-bind"})
_MAKES = frozenset({"--tmpfs", "--dir", "--proc", "--dev", "--tmp-overlay", "--remount-ro"})
_MOST_LINKS = 40


class ContainerLinkError(OSError):
    """A link in a container's files leads out of them; the message says where it is."""


def places_in(words: Sequence[str]) -> Iterator[str]:
    """Yield where bubblewrap's arguments have it mount or make something."""
    at = 0
    while at < len(words) and words[at] != "--":
        takes = 2 if words[at] in _MOVES else int(words[at] in _MAKES)
        if takes and at + takes < len(words):
            yield words[at + takes]
        at += 1 + takes


def refuse_links(root: Path, places: Iterable[str]) -> None:
    """Refuse places that a link leads out of a container's files.

    Raises:
        ContainerLinkError: There is such a link.
    """
    for place in places:
        if link := _link_out_of(root, place):
            raise ContainerLinkError(
                f"the container's {link} is a link that leads out of it, where {place} is to be: "
                "retry the task, or have the image make a folder of it"
            )


def _link_out_of(root: Path, place: str) -> str:
    """Return the link on the way to a place that leads out, empty where none does."""
    left = list(reversed(PurePosixPath(place).parts[1:]))
    here: list[str] = []
    link, followed = "", 0
    while left:
        part = left.pop()
        if part == "..":
            if not here:
                return link or place
            here.pop()
            continue
        try:
            to = os.readlink(root.joinpath(*here, part))  # noqa: PTH115 - as it is spelled
        except OSError:
            here.append(part)  # no link, or nothing at all
            continue
        link, followed = "/" + "/".join((*here, part)), followed + 1
        if to.startswith("/") or followed > _MOST_LINKS:
            return link
        left.extend(reversed(PurePosixPath(to).parts))
    return ""
