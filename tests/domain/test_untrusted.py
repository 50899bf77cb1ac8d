"""Text from outside is quoted, bounded and marked."""

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from domain.core.printable import visible
from domain.forges.untrusted import untrusted

TRICKS = st.text(alphabet="`~\n>#*[]()<>! aX\u202e\u200b\x1b", max_size=200)


@given(TRICKS, TRICKS)
def test_no_text_ends_its_own_block(text: str, source: str) -> None:
    tokens = MarkdownIt("commonmark").parse(untrusted(text, source))
    kinds = [t.type for t in tokens]
    assert kinds == [
        *("paragraph_open", "inline", "paragraph_close", "fence"),
        *("paragraph_open", "inline", "paragraph_close"),
    ]
    assert tokens[3].info == "untrusted"
    assert tokens[3].content.rstrip("\n") == visible(text).rstrip("\n")


def test_a_long_text_is_cut_and_that_is_told() -> None:
    shown = untrusted("x" * 9_000, "issue acme/app#7", limit=100)
    assert len(shown) < 700
    assert "8900 more characters are left out" in shown


def test_it_says_whose_it_is() -> None:
    assert "`issue acme/app#7 by octocat`" in untrusted("hello", "issue acme/app#7 by octocat")
