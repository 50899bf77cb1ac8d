"""Caches of package managers: those of one repository are shared by its workspaces, by no other's."""

from pathlib import Path

_VARIABLES = {
    "PIP_CACHE_DIR": "pip",
    "UV_CACHE_DIR": "uv",
    "POETRY_CACHE_DIR": "poetry",
    "PDM_CACHE_DIR": "pdm",
    "npm_config_cache": "npm",
    "YARN_CACHE_FOLDER": "yarn",
    "npm_config_store_dir": "pnpm",
    "BUN_INSTALL_CACHE_DIR": "bun",
    "CARGO_HOME": "cargo",
    "GOMODCACHE": "go-mod",
    "GOCACHE": "go-build",
    "BUNDLE_USER_CACHE": "bundle",
    "COMPOSER_CACHE_DIR": "composer",
}
"""How each is told where to keep it."""


def cache_environment(folder: Path) -> dict[str, str]:
    """Return what tells package managers to keep what they fetch below a folder."""
    return {name: str(folder / below) for name, below in _VARIABLES.items()}
