"""Secrets in what programs print, with colours and cuts anywhere in them."""

from hypothesis import given
from hypothesis import strategies as st

from adapters.redaction import Redactor
from domain.agents.terminals import as_read

KNOWN = "correct-horse-battery"
FORM = "ghp_" + "a1B2" * 9
REDACTOR = Redactor({"PASSWORD": KNOWN})
HIDDEN = st.sampled_from(("", "", "\x1b[01;31m\x1b[K", "\x1b[m", "\x1b]0;t\x07", "\x1b(B", "\x00"))


def said(pieces: list[str]) -> str:
    over, rest = [], ""
    for piece in pieces:
        ready, rest = REDACTOR.settled(rest + piece)
        over.append(ready)
    return "".join((*over, REDACTOR.text(rest)))


@st.composite
def torn(draw):
    """A line with a secret in it, coloured and cut into pieces at any place."""
    secret = draw(st.sampled_from((KNOWN, FORM)))
    hidden = draw(st.lists(HIDDEN, min_size=len(secret), max_size=len(secret)))
    coloured = "".join(a + b for a, b in zip(hidden, secret, strict=True))
    line = f"\x1b[32mkey:\x1b[0m {coloured} \x1b[1mend\x1b[0m\n"
    cuts = sorted(draw(st.sets(st.integers(0, len(line)), max_size=6)))
    return [line[a:b] for a, b in zip((0, *cuts), (*cuts, len(line)), strict=True)]


@given(torn())
def test_no_secret_is_read_through_colours_or_cuts(pieces):
    seen = as_read(said(pieces))

    assert KNOWN not in seen
    assert FORM not in seen
    assert seen.startswith("key: [redacted:")
    assert seen.endswith(" end\n")


@given(st.lists(st.text("ab \r\n\x1b[1m]0;\x07sk-"), max_size=8))
def test_what_is_no_secret_comes_as_it_was(pieces):
    assert said(pieces) == "".join(pieces)


def test_what_a_secret_may_begin_with_does_not_hold_sequences_back_for_ever():
    over, rest = REDACTOR.settled("sk-" + "\x1b[31m" * 10_000)

    assert over.startswith("sk-")
    assert len(rest) < 40_000
