"""The names of plan files and archives, and when a plan is done."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.threads.plan_files.completion import is_complete
from domain.threads.plan_files.errors import UnknownFileError
from domain.threads.plan_files.files import PlanFile, archive_name, is_archive_name, plan_file

NOW = datetime(2026, 1, 16, 2, 17, 59, tzinfo=UTC)
PHASES = "# T\n\n## Phases\n\n### Phase 1: a\n\n- [x] b\n- **Status:** {}\n\n### Phase 2\n\n- **Status:** {}\n"


@given(st.integers(0, 12), st.sets(st.integers(2, 12)))
def test_archives_of_one_minute_all_get_names_of_their_own(first, taken):
    names = {f"plan-20260116-0217-{n}" for n in taken} | (
        {"plan-20260116-0217"} if first else set()
    )

    name = archive_name(NOW, names)

    assert name not in names
    assert is_archive_name(name)


@pytest.mark.parametrize(
    "which",
    [
        *("../findings", "TASK_PLAN", "archive/x", "task_plan.md", "", " findings", "findings\0"),
        *("fındings", "./findings", None, 1, ["findings"]),
    ],
)
def test_a_file_is_named_to_the_letter(which):
    with pytest.raises(UnknownFileError, match="task_plan, findings, progress"):
        plan_file(which)


def test_the_three_files_have_names():
    assert [plan_file(name).file_name for name in ("task_plan", "findings", "progress")] == [
        "task_plan.md",
        "findings.md",
        "progress.md",
    ]
    assert list(PlanFile) == ["task_plan", "findings", "progress"]


@pytest.mark.parametrize(
    "name",
    [
        "plan-20260116-0217/..",
        "plan-20260116-0217-1",
        "plan-20260116-0217-02",
        "plan-٢0260116-0217",
    ],
)
def test_other_names_are_no_archives(name):
    assert not is_archive_name(name)


@pytest.mark.parametrize(
    "text",
    [
        "# T\n\n**Status:** complete\n\n## Goal\n\nx\n",
        "# T\n\n- **Status**: Completed.\n",
        "Status: complete\n\n## Goal\n",
        PHASES.format("complete", "complete"),
        "# T\n\n**Status:** in_progress\n\n" + PHASES.format("complete", "complete"),
        "# T\n\n## Phases\n\n- [x] Phase 1\n- [X] **Phase 2: look**\n",
        "# T\n\n1. [x] Phase 1: a\n\n### Phase 1: a\n\nIt went well.\n",
        "# T\n\n- [x] Phase 1\n\n### Phase 1: a\n\n- **Status:** complete\n- [ ] a detail\n",
    ],
)
def test_a_plan_is_done_when_its_header_or_all_of_its_phases_say_so(text):
    assert is_complete(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# T\n\nWrite **Status:** complete when all is done.\n\n## Goal\n",
        "# T\n\n**Status:** incomplete\n",
        "# T\n\n**Status:** not complete\n",
        "# T\n\n**Status:** complete\n**Status:** in_progress\n",
        "# T\n\n```\n**Status:** complete\n```\n",
        "# T\n\n> **Status:** complete\n",
        "# T\n\n<!--\n**Status:** complete\n-->\n",
        "# T\n\n## Notes\n\n**Status:** complete\n",
        "# Status: complete\n\n## Goal\n",
        PHASES.format("complete", "in_progress"),
        PHASES.format("complete", "complete") + "\n### Phase 3: c\n\nnothing said\n",
        PHASES.format("complete", "complete")
        + "\n### Phase 3: c\n\n```\n- **Status:** complete\n```\n",
        "# T\n\n## Phases\n\n**Status:** complete\n",
        "# Phase 1: a\n\n**Status:** complete\n\n# Phase 2: b\n\n**Status:** pending\n",
        "# T\n\nStatus:" + " " * 250_000 + "x",
        "# T\n\n- [x] Phase 1\n- [ ] Phase 2\n",
        "# T\n\n- [x] Look\n- [x] Build\n",
        "# T\n\n- [x] Phase 1\n\n### Phase 1: a\n\n- **Status:** in_progress\n",
        "# T\n\n- [x] Phase 1\n\n### Phase 1: a\n\n### Phase 2: b\n",
        "# T\n\n- [x] Phase 1\n- [ ] Phase 1\n",
        "# T\n\n```\n- [x] Phase 1\n```\n",
        "# T\n\nMark it with [x] Phase 1 when it is done.\n",
    ],
)
def test_a_phrase_elsewhere_completes_nothing(text):
    assert not is_complete(text)


def test_thousands_of_phases_are_looked_at_once_each():
    text = PHASES + "### Phase 1: a\n- **Status:** complete\n" * 6700
    begun = time.process_time()

    assert is_complete(text.replace("{}", "complete"))
    assert time.process_time() - begun < 6
