"""The second, dumb model: dicts and lists that say what a thread and a run of a task must do.

It knows commands and results, never the deciders' states. A method of `PaperThread` returns False
where the command must be refused.
"""

from dataclasses import dataclass, field

BAD = ("failed", "cancelled", "blocked")
WAITING = ("pending", "needs_decision")
ENDED = {"accepted": "completed", "failed": "failed", "cancelled": "cancelled"}


@dataclass
class PaperTask:
    needs: list[str]
    decision: str | None
    status: str = "pending"
    run: int = 0
    aborting: bool = False
    end: str | None = None


@dataclass
class PaperThread:
    slots: int
    plan: str = "idle"
    tasks: dict[str, PaperTask] = field(default_factory=dict)
    decisions: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    choices: dict[str, tuple[list[str], bool]] = field(default_factory=dict)
    settling: list[str] = field(default_factory=list)
    last_run: dict[str, int] = field(default_factory=dict)
    shown: tuple[str, str] | None = None
    decided: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    revisions: int = 0

    @property
    def is_live(self) -> bool:
        return self.plan in ("active", "paused")

    @property
    def busy(self) -> list[str]:
        return [t for t, task in self.tasks.items() if task.status == "running"]

    # --- the plan

    def verdict(self, request: str, content: str, choice: str, feedback: str) -> bool:
        said = feedback if choice == "reject" else ""
        if request in self.decided:
            return self.decided[request] == (choice, content, said)
        if self.shown != (request, content) or (choice == "reject" and not feedback.strip()):
            return False
        if choice == "approve" and self.busy:
            return False
        self.decided[request] = (choice, content, said)
        self.shown = None
        return True

    def start(
        self, tasks: dict[str, PaperTask], choices: dict[str, tuple[list[str], bool]]
    ) -> None:
        self.plan, self.tasks, self.choices = "active", tasks, choices
        self.decisions = dict.fromkeys(choices)
        self.go()

    def go(self) -> None:
        """Start what may start, in plan order."""
        for name, task in self.tasks.items():
            if self.plan != "active" or task.status not in WAITING:
                continue
            if any(self.tasks[need].status != "completed" for need in task.needs):
                continue
            if task.decision and self.decisions[task.decision] is None:
                task.status = "needs_decision"
            elif len(self.busy) >= self.slots:
                task.status = "pending"
            else:
                task.status, task.end, task.aborting = "running", None, False
                task.run = self.last_run[name] = self.last_run.get(name, 0) + 1
        is_done = all(task.status == "completed" for task in self.tasks.values())
        if self.is_live and is_done:
            self.plan = "completed"

    def change(self, plan: str) -> bool:
        if not self.is_live or plan == self.plan == "active":
            return False
        self.plan = plan
        self.go()
        return True

    def decide(self, name: str, chosen: tuple[str, ...]) -> bool:
        if name not in self.decisions:
            return False
        labels, is_multi = self.choices[name]
        if not chosen or not set(chosen) <= set(labels) or (len(chosen) > 1 and not is_multi):
            return False
        if self.decisions[name] is not None:
            return self.decisions[name] == chosen
        if not self.is_live:
            return False
        self.decisions[name] = chosen
        self.go()
        return True

    def time_out(self, defaults: dict[str, str]) -> bool:
        """Take the safe default of each decision that is due, and only then start what may start."""
        is_open = [self.decisions.get(name, ("",)) is None for name in defaults]
        if not self.is_live or not all(is_open):
            return False
        self.decisions |= {name: (default,) for name, default in defaults.items()}
        self.go()
        return True

    # --- tasks

    def _needing(self, name: str) -> list[str]:
        direct = [t for t, task in self.tasks.items() if name in task.needs]
        return direct + [far for near in direct for far in self._needing(near)]

    def _lost(self, name: str) -> None:
        for other in self._needing(name):
            if self.tasks[other].status in WAITING:
                self.tasks[other].status = "blocked"

    def abort(self, name: str) -> bool:
        task = self.tasks.get(name)
        if task is None:
            return False
        if task.status == "running":
            if task.aborting:
                return True
            task.aborting = task.end is None
            return task.aborting
        if task.status in WAITING:
            task.status = "cancelled"
            self._lost(name)
        return task.status == "cancelled"

    def abort_running(self) -> None:
        for name in self.busy:
            if self.tasks[name].end is None:
                self.tasks[name].aborting = True

    def abort_all(self) -> bool:
        if not self.is_live:
            return False
        self.abort_running()
        self.plan = "paused"
        return True

    def cancel(self, *, is_planning: bool, has_chat: bool) -> bool:
        if not self.is_live and is_planning:
            self.shown = None
            if self.plan == "idle" and not has_chat:
                self.plan = "cancelled"
            return True
        if not self.is_live:
            return self.plan == "cancelled"
        self.abort_running()
        for task in self.tasks.values():
            if task.status in WAITING:
                task.status = "cancelled"
        self.plan = "cancelled"
        return True

    def retry(self, name: str) -> bool:
        task = self.tasks.get(name)
        if not self.is_live or task is None or task.status not in BAD:
            return False
        if any(self.tasks[need].status in BAD for need in task.needs):
            return False
        task.status = "pending"
        for _ in self.tasks:
            for other in self._needing(name):
                held = [n for n in self.tasks[other].needs if self.tasks[n].status in BAD]
                if self.tasks[other].status == "blocked" and not held:
                    self.tasks[other].status = "pending"
        self.go()
        return True

    def ended(self, name: str, run: int, end: str) -> None:
        task = self.tasks.get(name)
        if task is None or task.status != "running" or task.run != run or task.end is not None:
            return
        task.end = "cancelled" if task.aborting and end == "accepted" else end
        self.settling.append(name)

    def settled(self, name: str, run: int, *, is_merged: bool) -> None:
        if self.settling[:1] != [name] or self.tasks[name].run != run:
            return
        self.settling.pop(0)
        task = self.tasks[name]
        task.status = ENDED[task.end or ""]
        if task.status == "completed" and not is_merged:
            task.status = "failed"
        task.aborting = False
        if task.status != "completed":
            self._lost(name)
        self.go()


@dataclass
class PaperRun:
    """What a run of a task was given, and what it may therefore do."""

    steps: list[tuple[str, bool, bool]]
    ports: list[str]
    retries: int
    is_automatic: bool
    is_turning: bool = False
    is_reported: bool = False
    is_ended: bool = False
    turns: int = 0
    failures: int = 0
    tree: str | None = None
    verified: str | None = None
    results: dict[str, bool] = field(default_factory=dict)
    granted: set[str] = field(default_factory=set)
    shown: tuple[str, str] | None = None
    outcomes: dict[str, tuple[str, str]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)

    def verdict(self) -> bool:
        """Every port was requested, and every required step ran and passed."""
        if any(port not in self.granted for port in self.ports):
            return False
        return all(self.results.get(step, False) for step, required, _ in self.steps if required)

    def next_step(self) -> str | None:
        for step, required, goes_on in self.steps:
            if step not in self.results:
                return step
            if required and not self.results[step] and not goes_on:
                return None
        return None
