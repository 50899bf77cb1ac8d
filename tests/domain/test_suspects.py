"""Which changed files could judge: by what they are and who calls them, and never by a new name."""

import pytest

from domain.verification.judges.suspects import (
    MAX_JUDGED,
    Altered,
    How,
    called_by,
    is_test,
    judged_files,
    suspects,
)

PLAIN, PROGRAM, LINK, GONE = "100644", "100755", "120000", "000000"


def altered(name, was=PLAIN, now=PLAIN):
    return Altered(name, was, now)


@pytest.mark.parametrize(
    ("one", "is_suspect"),
    [
        (altered("src/app.py"), False),
        (altered("app.py"), False),
        (altered("docs/guide.md"), False),
        (altered("src/data.json"), False),
        (altered("src/config/settings.toml"), False),
        (altered("settings.toml"), True),
        (altered(".weird"), True),
        (altered("scripts/helper.py"), True),
        (altered("src/deep/tools/gen.py"), True),
        (altered("src/check.sh"), True),
        (altered("app.py", PLAIN, PROGRAM), True),
        (altered("app.py", PROGRAM, PLAIN), True),
        (altered("src/app.py", PLAIN, LINK), True),
        (altered("src/link", LINK, GONE), True),
        (altered("tests/test_app.py"), True),
        (altered("called.py"), True),
        (altered("src/called.py"), False),
    ],
)
def test_what_could_judge_is_known(one, is_suspect):
    called = frozenset({"called.py", "src/called.py"})

    assert suspects([one], called) == ((one,) if is_suspect else ())


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("tests/data/golden.json", True),
        ("src/__tests__/a.ts", True),
        ("test_app.py", True),
        ("pkg/app_test.go", True),
        ("web/a.spec.ts", True),
        ("src/AppTest.java", True),
        ("src/AppIT.java", True),
        ("src/__snapshots__/a.snap", True),
        ("src/latest.py", False),
        ("src/contest.go", False),
        ("src/testing.py", False),
        ("src/Spectrum.java", False),
        ("", False),
    ],
)
def test_tests_are_known_by_where_they_are_and_what_they_are_called(name, answer):
    assert is_test(name) is answer


@pytest.mark.parametrize(
    ("text", "caller", "called"),
    [
        ("check:\n\tsh scripts/a.sh && python3 -B check.py\n", "Makefile", {"scripts/a.sh", "check.py"}),
        ("check:\n\t@./x/y\n\tgcc src/app.c -o app\nSRC = src/m.c\n", "Makefile", {"x/y"}),
        ("run:\n\tpython3 app.py\ntest:\n\tpython3 t.py\n", "Makefile", {"t.py"}),
        (". ./lib.sh\nexec python helper.py\n", "ci/a.sh", {"lib.sh", "ci/lib.sh", "helper.py", "ci/helper.py"}),
        ("sh ../top.sh\n", "ci/a.sh", {"top.sh"}),
        ("sh ../../etc/x /etc/y\n", "ci/a.sh", set()),
        ('subprocess.run(["sh", "x.sh"])\n', "check.py", {"x.sh"}),
        ('{"main": "./index.js", "scripts": {"start": "node s.js", "test": "node t.js"}}', "package.json", {"t.js"}),
        ('{"scripts": []}', "package.json", set()),
        ("[" * 9999, "package.json", set()),
        ("entry: ./hooks/x.sh\n", ".pre-commit-config.yaml", {"hooks/x.sh"}),
    ],
)  # fmt: skip
def test_what_scripts_and_build_files_run_is_read_from_them(text, caller, called):
    assert called_by(text, caller) == called


def test_what_was_not_opened_is_not_told_and_the_list_has_an_end():
    many = [altered(f"tests/{n:03}.py") for n in range(MAX_JUDGED + 9)]

    assert judged_files(many, frozenset(), frozenset()) == ()
    told = judged_files(many, frozenset(one.name for one in many[1:]), frozenset({many[0].name}))
    assert len(told) == MAX_JUDGED
    assert [one.how for one in told[:2]] == [How.UNWATCHED, How.OPENED]
    assert told[0].is_test
