"""Which keys of a repository's git configuration cannot make git run a program or look elsewhere.

People and tools change these all the time. Every other key counts as one that can act.
"""

_INERT = frozenset(
    {
        "user.name",
        "user.email",
        "core.repositoryformatversion",
        "core.filemode",
        "core.logallrefupdates",
        "core.ignorecase",
        "core.precomposeunicode",
        "core.autocrlf",
        "core.eol",
        "core.safecrlf",
        "core.abbrev",
        "core.quotepath",
        "init.defaultbranch",
        "pull.rebase",
        "pull.ff",
        "push.default",
        "push.autosetupremote",
        "fetch.prune",
        "rebase.autostash",
        "lfs.repositoryformatversion",
    }
)
_INERT_SECTIONS = ("advice.", "color.", "gui.", "gitg.")
_INERT_LAST = {
    "branch": frozenset(
        {"remote", "merge", "rebase", "pushremote", "description", "vscode-merge-base"}
        | {"gh-merge-base", "github-pr-owner-number"}
    ),
    # git-lfs keeps notes of servers
    "lfs": frozenset({"access", "locksverify"}),
    "submodule": frozenset({"active", "url"}),
}
_REMOTE_LAST = frozenset({"url", "pushurl", "fetch", "push", "tagopt", "prune", "gh-resolved"})


def acting_keys(settings: list[tuple[str, str]]) -> dict[str, str]:
    """Return the settings that can act, each with all of its values in order.

    A remote's address is inert: Treadle fetches only from the one that was known when a thread was opened, and
    pushes to no other unasked (adapters/git/bases.py, pushes.py). But where a remote promises objects
    that are not here (a partial clone), any command may fetch from it.
    """
    is_lazy = any(
        key.startswith("remote.") and key.endswith((".promisor", ".partialclonefilter"))
        for key, _ in settings
    )
    acting: dict[str, str] = {}
    for key, value in settings:
        if not _is_inert(key, is_lazy=is_lazy):
            acting[key] = f"{acting[key]}\n{value}" if key in acting else value
    return acting


def _is_inert(key: str, *, is_lazy: bool) -> bool:
    section, _, rest = key.partition(".")
    last = rest.rpartition(".")[2]
    if section == "remote":
        return last in _REMOTE_LAST and "." in rest and not is_lazy
    if key in _INERT or key.startswith(_INERT_SECTIONS):
        return True
    return "." in rest and last in _INERT_LAST.get(section, ())
