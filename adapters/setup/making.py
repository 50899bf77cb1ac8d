"""What a layer is made with."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from adapters.containers.containers import Containers
from adapters.setup.commands import Place, SetUpCommands
from domain.core.ports import Beat


@dataclass(frozen=True)
class Making:
    """What a layer is made with: what runs its commands, the secrets that they get, hosts, and containers.

    One that `can_do_without` is not tried again where it failed before. Only that of a commit which an agent is
    not at work on `keeps_caches`: what its commands run may be that agent's, and caches are for all tasks.
    """

    commands: SetUpCommands
    secrets: Mapping[str, str]
    beat: Beat
    hosts: tuple[str, ...] = ()
    can_do_without: bool = False
    keeps_caches: bool = True
    containers: Containers | None = None

    async def is_complete(self, key: str) -> bool:
        """Tell whether the image of a layer is there, where it has one."""
        return self.containers is None or await self.containers.has_image(key)

    async def begin(self, place: Place, key: str) -> Place:
        """Return a place with these caches, in the container that its checkout describes, where the layer has one."""
        place = replace(place, keeps_caches=self.keeps_caches)
        if self.containers is None:
            return place
        name = place.repository.name
        inside = await self.containers.begin(place.folder, key, name, self.beat)
        return replace(place, container=inside)

    async def keep(self, place: Place, key: str) -> None:
        """Keep what the commands made of a container, as the layer's image."""
        if self.containers is not None and place.container is not None:
            await self.containers.keep_as(place.container, key)
