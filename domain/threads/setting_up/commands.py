"""What a person says of a set-up that failed."""

from pydantic import Field

from domain.core.command import MAX_NAME, Coded


class RetrySetUp(Coded):
    """Set workspaces up again; by another recipe where one is named, as the journal keeps it."""

    door = "retry_set_up"

    recipe: str = Field(default="", max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """The recipe."""
        return self.recipe


class SkipSetUp(Coded):
    """Go on without: workspaces have what git gives them."""

    door = "skip_set_up"
