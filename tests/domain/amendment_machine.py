"""The oracle of amendments: a dict of tasks, told in the plainest way what may happen to them."""

from dataclasses import dataclass, field
from typing import Any

WAITS = {"pending", "blocked"}
BAD = {"failed", "cancelled", "blocked"}


@dataclass
class Paper:
    """Tasks by name as (status, needs), and those to be aborted; all of it by brute force."""

    tasks: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    ending: set[str] = field(default_factory=set)
    aborting: set[str] = field(default_factory=set)
    version: int = 1

    def status(self, name: str) -> str:
        return self.tasks[name][0]

    def put(self, name: str, status: str) -> None:
        self.tasks[name] = (status, self.tasks[name][1])

    # --- what an amendment may do

    def takes(self, changes: list[dict[str, Any]]) -> bool:
        """Tell whether a list of changes is possible now, all together."""
        touched = [n for c in changes if c["change"] != "reorder" for n in _names(c)]
        if len(touched) != len(set(touched)):
            return False
        added = {c["task"]["id"] for c in changes if c["change"] == "add"}
        return all(self._may(c, added) for c in changes) and self._is_sound(self._after(changes))

    def _may(self, change: dict[str, Any], added: set[str]) -> bool:
        kind = change["change"]
        if kind == "add":
            return change["task"]["id"] not in self.tasks
        for name in _names(change):
            if name not in self.tasks:
                if kind == "reorder" and name in added:
                    continue
                return False
            status = self.status(name)
            if kind == "abort":
                is_running = status == "running" and name not in self.ending
                if not (is_running or status in {"pending", "cancelled"}):
                    return False
            elif status in {"completed", "running"}:
                return False
        return True

    def _after(self, changes: list[dict[str, Any]]) -> dict[str, tuple[str, list[str]]]:
        after = {name: (status, list(needs)) for name, (status, needs) in self.tasks.items()}
        for change in changes:
            match change["change"]:
                case "add":
                    after[change["task"]["id"]] = ("pending", change["task"]["depends_on"])
                case "modify" if "depends_on" in change["task"]:
                    status = after[change["task_id"]][0]
                    after[change["task_id"]] = (status, change["task"]["depends_on"])
                case "remove":
                    del after[change["task_id"]]
        return after

    def _is_sound(self, after: dict[str, tuple[str, list[str]]]) -> bool:
        if not after or any(need not in after for _, needs in after.values() for need in needs):
            return False
        left = dict(after)
        while free := [n for n, (_, needs) in left.items() if not set(needs) & set(left)]:
            for name in free:
                del left[name]
        return not left

    def apply(self, changes: list[dict[str, Any]]) -> None:
        """Make the changes; what the aborts of waiting tasks hold is blocked at once."""
        self.tasks = self._after(changes)
        for change in changes:
            if change["change"] == "abort":
                name = change["task_id"]
                if self.status(name) == "running":
                    self.aborting.add(name)
                else:
                    self.put(name, "cancelled")
        self.version += 1
        self.settle()

    # --- what happens by itself

    def settle(self) -> None:
        """Block and free what waits, as long as anything changes."""
        is_changed = True
        while is_changed:
            is_changed = False
            for name, (status, needs) in self.tasks.items():
                if status not in WAITS:
                    continue
                right = "blocked" if any(self.status(n) in BAD for n in needs) else "pending"
                if right != status:
                    self.put(name, right)
                    is_changed = True

    def start(self) -> None:
        """Start all that can start."""
        for name, (status, needs) in self.tasks.items():
            if status == "pending" and all(self.status(n) == "completed" for n in needs):
                self.put(name, "running")

    def retry(self, name: str) -> bool:
        """Run a task again that ended badly, if nothing that it needs did."""
        if name not in self.tasks or self.status(name) not in BAD:
            return False
        if any(self.status(need) in BAD for need in self.tasks[name][1]):
            return False
        self.put(name, "pending")
        self.settle()
        return True

    @property
    def is_complete(self) -> bool:
        return all(status == "completed" for status, _ in self.tasks.values())


def _names(change: dict[str, Any]) -> list[str]:
    if change["change"] == "add":
        return [change["task"]["id"]]
    return change["order"] if change["change"] == "reorder" else [change["task_id"]]
