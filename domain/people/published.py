"""The people of a server as its API publishes them in the journal, for hosts that lack the file."""

from domain.core.wire import Wire
from domain.people.directory import Directory


class PublishedPeople(Wire):
    """What `people.toml` says where an API reads it; without a directory it has said that there is one person only.

    `place` is the machine and path of that file: only who published may say that the file is gone. While
    there is a `problem`, nobody but the owner may decide.
    """

    place: str = ""
    directory: Directory | None = None
    problem: str = ""

    def may_be_withdrawn_from(self, place: str) -> bool:
        """Tell whether the file at a place that is gone now was the one that is published."""
        is_there = self.directory is not None or bool(self.problem)
        return is_there and self.place == place
