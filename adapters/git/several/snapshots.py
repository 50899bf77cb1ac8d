"""What a turn has come to in several repositories, told as of one."""

from collections.abc import Callable, Mapping

from adapters.git.several.places import named
from domain.core.workspaces import Snapshot, listed
from domain.verification.judges.names import MAX_JUDGES


def together(own: Snapshot, beside: Mapping[str, Snapshot], tree: str) -> Snapshot:
    """Return the snapshot of all: files beside are named as the thread's own repository finds them.

    `tree` names the trees of all.
    """
    every = (own, *beside.values())

    def files_of(files: Callable[[Snapshot], tuple[str, ...]]) -> tuple[str, ...]:
        others = (name for each, one in beside.items() for name in named(each, files(one)))
        return listed((*files(own), *others))

    return own.model_copy(
        update={
            "tree": tree,
            "files": files_of(lambda one: one.files),
            "file_count": sum(one.file_count for one in every),
            "insertions": sum(one.insertions for one in every),
            "deletions": sum(one.deletions for one in every),
            "is_changed": any(one.is_changed for one in every),
            "unresolved": files_of(lambda one: one.unresolved),
            "planted": files_of(lambda one: one.planted),
            "judges": files_of(lambda one: one.judges)[:MAX_JUDGES],
            "altered": files_of(lambda one: one.altered),
            "turn_files": files_of(lambda one: one.of_turn),
        }
    )
