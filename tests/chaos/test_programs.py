"""Programs of chaos: a seed that found something fails the program, and its folder stays."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.chaos.programs import last_lines, run_seeds

BAD = 2


@dataclass
class Outcome:
    violations: list[str] = field(default_factory=list)
    seconds: float = 0.0


async def once(folder: Path, seed: int) -> Outcome:
    (folder / f"seed-{seed}").touch()
    return Outcome(["a merge was doubled"] if seed == BAD else [])


@pytest.mark.parametrize(("seeds", "code"), [([1], 0), ([1, BAD, 3], 1)])
def test_what_was_found_is_reported_and_kept(
    seeds: list[int],
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert run_seeds("chaos-hosts", seeds, once, last_lines) == code
    told = capsys.readouterr().out
    assert told.count("violations: 0") == seeds.count(1) + seeds.count(3)
    assert ("again: make chaos-hosts SEEDS=2" in told) == (code == 1)
    assert [path.name for path in tmp_path.glob("*/*")] == [f"seed-{BAD}"] * code
