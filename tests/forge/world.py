"""The state of a forge double, and what other people do to it."""

from collections import Counter
from hashlib import sha1
from itertools import count
from threading import RLock

from tests.forge.things import (
    Checked,
    CheckWord,
    Placed,
    Project,
    Pull,
    Reviewed,
    Somebody,
    Ticket,
    Words,
    now,
)


class World:
    """The state of a forge; every method is one that a person or a forge carries out."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.ids = count(1000)
        self.me = Somebody(1, "treadle-bot")
        self.people: dict[str, Somebody] = {self.me.login: self.me}
        self.projects: dict[str, Project] = {}
        self.pulls: dict[tuple[str, int], Pull] = {}
        self.issues: dict[tuple[str, int], Ticket] = {}
        self.checks: dict[str, dict[str, Checked]] = {}
        self.opened: Counter[tuple[str, str]] = Counter()
        """How often a pull request was opened, by its project's path and its head."""
        self.written: Counter[str] = Counter()
        """How often a comment with this body was written by the token's account."""
        self.merges: list[tuple[str, int, str]] = []
        """What was merged through the API: project, number, method."""

    def somebody(self, login: str) -> Somebody:
        """Return an account, made where there is none."""
        return self.people.setdefault(login, Somebody(len(self.people) + 1, login))

    def commit(self) -> str:
        """Return the id of a commit that is new."""
        return sha1(f"commit {next(self.ids)}".encode(), usedforsecurity=False).hexdigest()

    def add_project(self, path: str, fork_of: str = "") -> Project:
        """Add a repository with a branch `main`."""
        made = Project(next(self.ids), path, {"main": self.commit()}, fork_of=fork_of)
        self.projects[path] = made
        return made

    def push_as(self, project: str, branch: str, commit: str = "", login: str = "ann") -> str:
        """Move a branch to a commit, as anybody's push does; returns the commit."""
        with self.lock:
            self.somebody(login)
            commit = commit or self.commit()
            self.projects[project].branches[branch] = commit
            for pull in self.pulls.values():
                if (pull.head_project.path, pull.head, pull.state) == (project, branch, "open"):
                    pull.commit, pull.will_merge_itself = commit, False
            return commit

    def open_pull(
        self, project: str, head: str, base: str = "main", *, login: str = "ann", from_: str = ""
    ) -> Pull:
        """Open a pull request; nothing is counted: the API does that for its own."""
        with self.lock:
            home, source = self.projects[project], self.projects[from_ or project]
            number, by = self.next_number(project), self.somebody(login)
            source.branches.setdefault(head, self.commit())
            pull = Pull(next(self.ids), number, home, source, head, base, head, "", by, now())
            pull.commit = source.branches[head]
            self.pulls[project, number] = pull
            return pull

    def next_number(self, project: str) -> int:
        """Return the next number of a project; pull requests and issues count together."""
        return 1 + max([n for p, n in (*self.pulls, *self.issues) if p == project], default=0)

    def comment_as(self, login: str, on: Pull | Ticket, body: str) -> Words:
        """Comment on a pull request or an issue."""
        with self.lock:
            made = Words(next(self.ids), self.somebody(login), body, now(), now())
            on.comments.append(made)
            if isinstance(on, Ticket):
                on.updated_at = now()
            return made

    def review_as(
        self, login: str, on: Pull, state: str, body: str = "", *, path: str = "", line: int = 1
    ) -> Placed | None:
        """Review a pull request; with a path its body is a thread on a line, which is returned."""
        with self.lock:
            said = "" if path else body
            by = self.somebody(login)
            review = Reviewed(next(self.ids), by, state, said, on.commit, now())
            on.reviews.append(review)
            if not path:
                return None
            first = Words(next(self.ids), by, body, now(), now())
            thread = Placed(f"T{next(self.ids)}", path, line, [first], review=review.id)
            on.threads.append(thread)
            return thread

    def reply_as(self, login: str, thread: Placed, body: str) -> Words:
        """Answer a review thread."""
        with self.lock:
            made = Words(next(self.ids), self.somebody(login), body, now(), now())
            thread.comments.append(made)
            return made

    def edit_as(self, words: Words, body: str) -> None:
        """Change a comment after it was written."""
        words.body = body
        words.updated_at = words.created_at.replace(year=words.created_at.year + 1)

    def set_check(
        self, commit: str, name: str, state: CheckWord, *, log: str = "", summary: str = ""
    ) -> Checked:
        """Set a check of a commit, by its name; merges whatever waited for it."""
        with self.lock:
            checks = self.checks.setdefault(commit, {})
            old = checks.get(name)
            made = Checked(old.id if old else next(self.ids), name, state, log, summary)
            checks[name] = made
            self.merge_ready()
            return made

    def is_waiting(self, pull: Pull) -> bool:
        """Tell whether a check of a pull request is under way or failed; no status is required."""
        checks = self.checks.get(pull.commit, {}).values()
        return any(c.state in {"pending", "failed"} for c in checks if not c.is_status)

    def merge_ready(self) -> None:
        """Merge pull requests that merge themselves and whose checks have all passed."""
        for pull in self.pulls.values():
            if pull.state == "open" and pull.will_merge_itself and not self.is_waiting(pull):
                self.merge_by_hand(pull, pull.auto_method)

    def merge_by_hand(self, pull: Pull, method: str = "merge") -> str:
        """Merge a pull request on the forge; returns the base's new commit."""
        with self.lock:
            made = self.commit()
            pull.state, pull.merge_commit, pull.merged_with = "merged", made, method
            pull.will_merge_itself = False
            pull.project.branches[pull.base] = made
            return made

    def close_by_hand(self, on: Pull | Ticket) -> None:
        """Close a pull request without merging it, or an issue."""
        if isinstance(on, Pull):
            on.state = "closed"
        else:
            on.is_open, on.updated_at = False, now()

    def open_issue(
        self, project: str, title: str, body: str = "", *, login: str = "ann", labels: str = ""
    ) -> Ticket:
        """Open an issue; labels are separated by commas."""
        with self.lock:
            by, number = self.somebody(login), self.next_number(project)
            made = Ticket(
                *(next(self.ids), number, self.projects[project], title, body, by, now(), now())
            )
            made.labels = {each for each in labels.split(",") if each}
            made.labelled = [(each, by) for each in sorted(made.labels)]
            self.issues[project, number] = made
            return made

    def label(self, issue: Ticket, *labels: str, login: str = "ann") -> None:
        """Give an issue these labels and no others."""
        by = self.somebody(login)
        issue.labelled += [(each, by) for each in labels if each not in issue.labels]
        issue.labels, issue.updated_at = set(labels), now()

    def assign(self, issue: Ticket, *logins: str) -> None:
        """Give an issue these assignees and no others."""
        issue.assignees, issue.updated_at = [self.somebody(login) for login in logins], now()
