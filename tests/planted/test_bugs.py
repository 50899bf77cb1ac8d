"""The list of planted bugs keeps up with the code; `python -m tests.planted` plants them."""

import re

from tests.planted.bug import ROOT, PlantedBug
from tests.planted.bugs import BUGS


def missing_test(test: str) -> bool:
    file, _, name = test.partition("::")
    text = (ROOT / file).read_text() if (ROOT / file).is_file() else ""
    wanted = rf"^(?:async )?def {name}\b" if name else r"^(?:async )?def test_|TestCase$"
    return not re.search(wanted, text, re.MULTILINE)


def test_each_bug_can_be_planted():
    problems = [problem for bug in BUGS if (problem := bug.problem())]
    assert not problems, "\n".join(problems)
    assert PlantedBug("gone", "worker.py", "no such text", "", ()).problem()


def test_each_bug_changes_python_that_stays_python():
    for bug in BUGS:
        assert bug.old != bug.new, bug.name
        planted = (ROOT / bug.file).read_text().replace(bug.old, bug.new)
        compile(planted, bug.file, "exec")


def test_each_bug_names_tests_that_there_are():
    missing = [f"{bug.name}: {test}" for bug in BUGS for test in bug.tests if missing_test(test)]
    assert not missing, "\n".join(missing)
    assert all(bug.tests for bug in BUGS)
    assert missing_test("tests/planted/test_bugs.py::test_that_nobody_wrote")


def test_each_bug_has_a_name_of_its_own():
    names = [bug.name for bug in BUGS]
    assert len(names) == len(set(names))
