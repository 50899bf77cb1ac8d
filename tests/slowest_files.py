"""Prints which files of tests took longest, by the clock and of the processor."""

import json
import os
from collections import Counter
from collections.abc import Generator

import pytest

from tests.grouping import SECONDS

SHOWN = 25
CPU = "cpu_seconds"


def cpu_seconds() -> float:
    """Return what this process and its ended children have used."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class SlowestFiles:
    """Adds up the tests' phases by file; workers of xdist send theirs with their reports."""

    def __init__(self, config: pytest.Config) -> None:
        self._is_written = config.getoption("--write-seconds")
        self._cpu = cpu_seconds()
        self.seconds: Counter[str] = Counter()
        self.cpu_seconds: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        before, self._cpu = self._cpu, cpu_seconds()
        report.user_properties = [*report.user_properties, (CPU, self._cpu - before)]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.partition("::")[0]
        self.seconds[file] += report.duration
        self.cpu_seconds[file] += sum(
            value for name, value in report.user_properties if name == CPU
        )

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section(f"{SHOWN} slowest files")
        for file, seconds in self.seconds.most_common(SHOWN):
            terminalreporter.write_line(
                f"{seconds:7.1f} s, {self.cpu_seconds[file]:6.1f} s of CPU  {file}"
            )
        if self._is_written:
            self.write()

    def write(self) -> None:
        """Note the seconds of the files that ran, and keep those of the others."""
        known = json.loads(SECONDS.read_text()) if SECONDS.exists() else {}
        known |= {file: round(seconds, 1) for file, seconds in self.seconds.items() if seconds > 1}
        there = {
            file: known[file] for file in sorted(known) if (SECONDS.parents[1] / file).exists()
        }
        SECONDS.write_text(json.dumps(there, indent=0) + "\n")
