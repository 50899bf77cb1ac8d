"""What the three forges have in common: their refusals, and what is written through their APIs."""

from datetime import datetime
from typing import Any

from tests.forge.routing import Answered, RefusedError
from tests.forge.things import Placed, Project, Pull, Somebody, Ticket, Words, now
from tests.forge.world import World


def stamp(when: datetime) -> str:
    """Return a time as forges write it."""
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


class Skin:
    """A forge's way to show a world."""

    root = ""

    def __init__(self, world: World, host: str) -> None:
        self.world = world
        self.host = host

    def project(self, path: str, *, writes: bool = False) -> Project:
        """Return a project, or refuse as forges do."""
        found = self.world.projects.get(path)
        if found is None or found.is_gone:
            raise RefusedError(404, "Not Found")
        if found.moved_to:
            raise RefusedError(301, "Moved Permanently")
        if writes and found.is_archived:
            raise RefusedError(403, "Repository was archived so is read-only.")
        return found

    def pull(self, path: str, number: str, *, writes: bool = False) -> Pull:
        """Return a pull request."""
        self.project(path, writes=writes)
        if found := self.world.pulls.get((path, int(number))):
            return found
        raise RefusedError(404, "Not Found")

    def ticket(self, path: str, number: str, *, writes: bool = False) -> Ticket:
        """Return an issue."""
        self.project(path, writes=writes)
        if found := self.world.issues.get((path, int(number))):
            return found
        raise RefusedError(404, "Not Found")

    def subject(self, path: str, number: str, *, writes: bool = False) -> Pull | Ticket:
        """Return a pull request or an issue, which GitHub and Gitea number together."""
        if (path, int(number)) in self.world.issues:
            return self.ticket(path, number, writes=writes)
        return self.pull(path, number, writes=writes)

    def open(self, path: str, head: tuple[Project, str], body: dict[str, Any]) -> Pull:
        """Open a pull request through the API; `body` has base, title and body."""
        project = self.project(path, writes=True)
        source, branch = head
        if branch not in source.branches or body["base"] not in project.branches:
            raise RefusedError(422, "Validation Failed: head or base is invalid")
        pull = self.world.open_pull(
            path, branch, body["base"], login=self.world.me.login, from_=source.path
        )
        pull.title, pull.body = body["title"], body["body"]
        self.world.opened[path, branch] += 1
        return pull

    def open_of(self, path: str, source: str, branch: str, base: str) -> Pull | None:
        """Return the open pull request of a branch."""
        for pull in self.world.pulls.values():
            where = (pull.project.path, pull.head_project.path, pull.head, pull.base, pull.state)
            if where == (path, source, branch, base, "open"):
                return pull
        return None

    def write(self, on: Pull | Ticket, body: str) -> Words:
        """Comment as the token's account."""
        if on.is_locked:
            raise RefusedError(403, "Issue is locked")
        self.world.written[body] += 1
        return self.world.comment_as(self.world.me.login, on, body)

    def reply(self, thread: Placed, body: str) -> Words:
        """Answer a thread as the token's account."""
        self.world.written[body] += 1
        return self.world.reply_as(self.world.me.login, thread, body)

    def rewrite(self, words: Words, body: str) -> Words:
        """Replace a comment of the token's account."""
        if words.author is not self.world.me:
            raise RefusedError(403, "Must be the author")
        words.body, words.updated_at = body, now()
        return words

    def every_comment(self, path: str) -> list[Words]:
        """Return all comments of a project that are in no thread."""
        world = self.world
        subjects = [*world.pulls.values(), *world.issues.values()]
        return [c for each in subjects if each.project.path == path for c in each.comments]

    def merge(self, pull: Pull, commit: str, method: str, refused: tuple[int, int]) -> str:
        """Merge through the API; `refused` are the answers to what cannot be merged, and to another head."""
        if pull.state != "open":
            raise RefusedError(refused[0], "Pull Request is not mergeable")
        if commit != pull.commit:
            raise RefusedError(
                refused[1], "Head branch was modified. Review and try the merge again."
            )
        if pull.base in pull.project.protected or pull.mergeability != "clean" or pull.is_draft:
            raise RefusedError(refused[0], "Required status check is expected: branch is protected")
        made = self.world.merge_by_hand(pull, method)
        self.world.merges.append((pull.project.path, pull.number, method))
        return made

    def edited(self, on: Ticket | Pull, body: dict[str, Any]) -> None:
        """Take over what an edit says of title, body, base, labels and state."""
        if "title" in body:
            on.title = body["title"]
        if body.get("body") is not None:
            on.body = body["body"]
        if isinstance(on, Pull) and body.get("base"):
            on.base = body["base"]
        closing = body.get("state") == "closed" or body.get("state_event") == "close"
        if closing and (on.is_open if isinstance(on, Ticket) else on.state == "open"):
            self.world.close_by_hand(on)
        if isinstance(on, Ticket):
            on.updated_at = now()

    def sender(self, who: Somebody) -> dict[str, Any]:
        """Return an account."""
        raise NotImplementedError

    def answer_to(self, refused: RefusedError) -> Answered:
        """Return a refusal in the forge's words."""
        return Answered(refused.status, {"message": refused.message})
