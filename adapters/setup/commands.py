"""The commands of a recipe, run in order in a sandbox; the first that fails ends it."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from adapters.egress.doors import Gate
from adapters.processes.command import Command, Finished
from adapters.processes.spawner import Spawner
from adapters.setup.caches import cache_environment
from adapters.verification.hints import hosts_hint, sandbox_hint
from domain.agents.sandbox import RulesNow, Sandbox
from domain.core.hosts import HostRules
from domain.core.ports import Beat
from domain.recipes.containers import Container
from domain.recipes.recipe import WorkspaceRecipe

CLEANUP_SECONDS = 60
"""How long a workspace's end waits for each command."""

CERTIFICATES = (
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "PIP_CERT"),
    *("UV_SYSTEM_CERTS", "UV_NATIVE_TLS", "NODE_EXTRA_CA_CERTS", "NPM_CONFIG_CAFILE"),
    *("CARGO_HTTP_CAINFO", "GIT_SSL_CAINFO", "BUNDLE_SSL_CA_CERT"),
)
"""What package managers get of the worker's environment: a network's own authorities, never a secret."""

_LIMIT_BYTES = 1 << 20


@dataclass(frozen=True)
class Place:
    """Where commands run: a checkout of a repository, the folder of its caches, and a container, if any.

    With `keeps_caches` they write to the caches; else what they write there is thrown away, as that of agents is.
    """

    repository: Path
    folder: Path
    caches: Path
    hosts: tuple[str, ...] = ()
    container: Container | None = None
    keeps_caches: bool = True


@dataclass(frozen=True)
class Printed:
    """What commands printed, and why one of them failed, empty where none did."""

    output: str
    failure: str = ""


class SetUpCommands:
    """Runs recipes' commands by the user's rules for sandboxes."""

    def __init__(
        self, spawner: Spawner, rules: RulesNow, environment: Mapping[str, str] | None = None
    ) -> None:
        """Have commands get an environment, below the one that a recipe says."""
        self._spawner = spawner
        self._rules = rules
        self._environment = environment or {}

    async def clean_up(
        self, recipe: WorkspaceRecipe, place: Place, secrets: Mapping[str, str], beat: Beat
    ) -> Printed:
        """Run what ends a workspace; as `run`, for at most `CLEANUP_SECONDS` each."""
        limit = min(recipe.timeout, CLEANUP_SECONDS)
        last = recipe.model_copy(update={"setup": recipe.cleanup, "timeout": limit})
        return await self.run(last, place, secrets, beat)

    async def run(
        self, recipe: WorkspaceRecipe, place: Place, secrets: Mapping[str, str], beat: Beat
    ) -> Printed:
        """Run a recipe's set-up; never raises for a command that fails, hangs or cannot start."""
        place.caches.mkdir(parents=True, exist_ok=True, mode=0o700)
        caches = cache_environment(place.caches)
        environment = {**self._environment, **caches, **recipe.environment, **secrets}
        printed: list[str] = []
        for text in recipe.setup:
            began = time.monotonic()
            printed.append(f"$ {text}\n")
            gate = Gate()
            command = self._command(text, recipe, place, environment, gate)
            try:
                done = await self._spawner.run(
                    command,
                    limit_seconds=recipe.timeout,
                    output_limit_bytes=_LIMIT_BYTES,
                    beat=beat,
                )
            except OSError as error:
                return Printed("".join(printed), f"{text}: could not start: {error}")
            output = done.output.text()
            printed.append(output if output.endswith("\n") or not output else f"{output}\n")
            if failure := _failure(done, recipe):
                hint = hosts_hint(gate.refused) or sandbox_hint(output, self._sandbox(place))
                took = f"{time.monotonic() - began:.0f} s"
                why = f"{text}: {failure} after {took}" + (f". {hint}" if hint else "")
                return Printed("".join(printed), why)
        return Printed("".join(printed))

    def _command(
        self,
        text: str,
        recipe: WorkspaceRecipe,
        place: Place,
        environment: Mapping[str, str],
        gate: Gate,
    ) -> Command:
        return Command(
            ("/bin/sh", "-c", text),
            place.folder,
            environment,
            is_merged=True,
            sandbox=self._sandbox(place),
            writes=(place.caches,) if place.keeps_caches else (),
            caches=() if place.keeps_caches else (place.caches,),
            path=tuple(folder.strip("/") for folder in recipe.path),
            gate=gate,
            shown_at=place.container.folder if place.container else None,
            container=place.container,
        )

    def _sandbox(self, place: Place) -> Sandbox:
        return self._rules.now.of(None, place.repository, hosts=HostRules(listed=place.hosts))


def _failure(done: Finished, recipe: WorkspaceRecipe) -> str:
    if done.is_timed_out:
        return f"timed out after {recipe.timeout} s and was ended"
    if done.signal is not None:
        return f"ended by signal {done.signal}"
    return "" if done.returncode == 0 else f"exit code {done.returncode}"
