"""Documents of Jira as text: nothing that is quoted, listed or code begins a line of its own."""

from hypothesis import given
from hypothesis import strategies as st

from adapters.trackers.documents import MAX_DEPTH, document_of, text_of
from domain.trackers.orders import order_of
from tests.trackers.test_orders import comment

ORDER = "/treadle approve abcdefgh2345"


def paragraph(*content: object) -> dict[str, object]:
    return {"type": "paragraph", "content": list(content)}


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def doc(*content: object) -> dict[str, object]:
    return {"type": "doc", "version": 1, "content": list(content)}


def test_what_somebody_says_is_read_and_what_they_quote_is_no_order() -> None:
    said = doc(paragraph(text("/treadle "), text("approve abcdefgh2345")), paragraph(text("ok")))
    assert text_of(said) == f"{ORDER}\nok"
    assert order_of(comment(text_of(said))) is not None
    quoted = {"type": "blockquote", "content": [paragraph(text(ORDER))]}
    listed = {
        "type": "bulletList",
        "content": [{"type": "listItem", "content": [paragraph(text(ORDER))]}],
    }
    block = {"type": "codeBlock", "content": [text(ORDER)]}
    for odd in (quoted, listed, block):
        assert ORDER in text_of(doc(odd, paragraph(text("no"))))
        assert order_of(comment(text_of(doc(odd, paragraph(text("no")))))) is None


def test_our_own_text_becomes_blocks_that_read_the_same() -> None:
    ours = "**Plan 1**\n\n```text\nTask: one\n\n    two\n```\n\nWrite:\n\n    /treadle approve x\n    /treadle reject x\n"
    kinds = [each["type"] for each in document_of(ours)["content"]]
    assert kinds == ["paragraph", "codeBlock", "paragraph", "codeBlock"]
    assert "/treadle approve x\n/treadle reject x" in text_of(document_of(ours))


@given(
    st.recursive(
        st.none() | st.text() | st.integers(),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(["type", "text", "content"]), inner)
        ),
    )
)
def test_whatever_stands_there_is_text(odd: object) -> None:
    assert isinstance(text_of(doc(odd)), str)


def test_a_document_without_an_end_is_cut() -> None:
    deep: object = paragraph(text("deepest"))
    for _ in range(MAX_DEPTH + 5):
        deep = {"type": "blockquote", "content": [deep]}
    assert "deepest" not in text_of(deep)
