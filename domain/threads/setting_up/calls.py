"""What the activity of a set-up takes."""

from domain.core.effects import Effect
from domain.core.ids import ThreadId


class SetUpCall(Effect):
    """Have the layer that workspaces of a commit begin with, by the recipe of that reference."""

    thread_id: ThreadId
    repository: str
    commit: str
    recipe: str
    hosts: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"set up workspaces at {self.commit[:12]}"
