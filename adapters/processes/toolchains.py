"""What a sandbox shows of a person's home: tools that lie there, and caches; nothing with a login in it."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

_TOOLCHAINS = (
    *(
        ".nvm",
        ".fnm",
        ".local/share/fnm",
        ".volta",
        ".n",
        ".npm-global",
        ".nodenv",
        ".bun",
        ".deno",
    ),
    *(".pyenv", ".local/share/uv", ".local/share/pipx", ".local/pipx", ".local/share/mise"),
    *(
        ".rustup",
        ".cargo/bin",
        ".cargo/env",
        "go/bin",
        ".goenv",
        ".rbenv",
        ".rvm",
        ".asdf",
        ".jenv",
    ),
    *(
        ".sdkman/candidates",
        ".juliaup",
        ".julia/juliaup",
        ".ghcup",
        ".opam",
        ".dotnet",
        ".krew/bin",
    ),
    *("miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", ".nix-profile"),
    *(".local/state/nix", ".linuxbrew", ".local/bin", ".local/lib", ".local/libexec", "bin"),
    ".local/share/claude/versions",
)
_CACHES = (
    *(".cache/pip", ".cache/uv", ".cache/pypoetry", ".cache/pre-commit", ".cache/go-build"),
    *(".npm/_cacache", ".cache/yarn", ".cache/node", ".cache/pnpm", ".local/share/pnpm/store"),
    *(".bun/install/cache", ".cache/deno", ".cache/ms-playwright", ".cache/puppeteer"),
    *(".cargo/registry", ".cargo/git", "go/pkg/mod", ".m2/repository", ".gradle/caches"),
    *(".gradle/wrapper", ".ivy2/cache", ".nuget/packages", ".cache/composer", ".bundle/cache"),
    *(".gem", ".cache/Cypress", ".cache/cypress", ".hex", ".mix", ".pub-cache"),
)
_BESIDE_BIN = (
    *("lib", "lib64", "libexec", "share", "include", "pyvenv.cfg", "conda-meta"),
    *("pkg", "src", "VERSION", "go.env", "conf", "release", "jmods"),
)


def is_there(path: Path) -> bool:
    """Tell whether a path can be looked at; pathlib raises in another user's folder."""
    return os.path.exists(path)  # noqa: PTH110


def names_of(path: Path) -> list[Path]:
    """Return what a path is, then its names by the links that lead there, its own as the last."""
    names = [path]
    while (name := _one_link_further(names[0])) is not None:
        names.insert(0, name)
    return names


def toolchains_in(home: Path) -> Iterator[Path]:
    """Yield the folders of known tools that there are in a home."""
    return (found for name in _TOOLCHAINS if is_there(found := home / name))


def caches_in(home: Path) -> Iterator[Path]:
    """Yield the folders of known caches that there are in a home; none holds a login."""
    return (found for name in _CACHES if is_there(found := home / name))


def tool_folders(programs: str) -> Iterator[Path]:
    """Yield the folders of a PATH, and beside those named `bin` the libraries they need."""
    for name in programs.split(os.pathsep):
        if os.path.isabs(name):  # noqa: PTH117 - an empty part is none
            yield from _with_libraries(Path(name))


def of_program(file: Path) -> Iterator[Path]:
    """Yield what a program needs that lies somewhere of its own: its folder, where it really is."""
    for one in dict.fromkeys((file, file.resolve())):
        yield one
        yield from _with_libraries(one.parent)


def outermost(paths: Iterable[Path]) -> list[Path]:
    """Return paths without those that lie below another one of them."""
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not kept or not path.is_relative_to(kept[-1]):
            kept.append(path)
    return kept


def _one_link_further(path: Path) -> Path | None:
    """Return a path with its first link replaced by what it says, None where it has none."""
    for folder in (*reversed(path.parents), path):
        if folder.is_symlink():
            leads_to = os.path.normpath(folder.parent / folder.readlink())
            return Path(leads_to) / path.relative_to(folder)
    return None


def _with_libraries(folder: Path) -> Iterator[Path]:
    yield folder
    if folder.name in {"bin", "sbin"}:
        yield from (found for name in _BESIDE_BIN if is_there(found := folder.parent / name))
