"""Which files are meant by what is typed after `@`, and which ones a message names."""

from domain.agents.agents import Prompt
from domain.agents.mentions import mention, mentioned_in
from domain.core.file_queries import MAX_FILES_BYTES, fitting

PATHS = ("src/app.py", "src/payments/charge.py", "tests/test_app.py", "README.md", "app/main.py")


def named(text):
    return mentioned_in(Prompt(fields={"text": text}))


def test_names_that_begin_so_come_before_paths_and_before_those_that_hold_it():
    assert fitting(PATHS, "app", 9).paths == ("src/app.py", "app/main.py", "tests/test_app.py")


def test_letters_in_their_order_are_enough():
    assert fitting(PATHS, "spcharge", 9).paths == ("src/payments/charge.py",)
    assert fitting(PATHS, "zzz", 9).total == 0


def test_nothing_typed_shows_what_is_at_the_top_first():
    found = fitting(PATHS, "", 2)
    assert (found.paths, found.total) == (("README.md", "src/app.py"), 5)


def test_names_that_nobody_could_read_or_type_are_left_out():
    assert fitting(("a\nb", "a\x1b[2Jb", "a\u202egnp.exe", 'a"b', "ab"), "a", 9).paths == ("ab",)


def test_what_is_found_stays_small():
    found = fitting((f"{n:05}/{'x' * 900}" for n in range(900)), "", 1000)
    assert sum(len(path) for path in found.paths) <= MAX_FILES_BYTES
    assert found.total == 900


def test_a_message_names_files_wherever_they_stand_in_it():
    text = 'Look at @src/app.py, then (@"a b.md") and @README.md.'
    assert named(text) == ("src/app.py,", "src/app.py", "a b.md", "README.md.", "README.md")


def test_addresses_and_what_git_keeps_are_no_files():
    assert named("mail ann@example.com, see @.git/config and @a/.git/hooks/x") == ()


def test_a_name_is_mentioned_so_that_it_is_read_again():
    for path in ("src/app.py", "a b.md", "x.", "Ünïcode.py", "a(b).c"):
        assert path in named(f"see {mention(path)}")
