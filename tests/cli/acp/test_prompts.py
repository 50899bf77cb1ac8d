"""What an editor sends, as a message of Treadle."""

import base64
from pathlib import Path

import acp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.acp.prompts import read_prompt
from cli.core.errors import CommandError
from domain.core.attachments import MAX_ATTACHMENTS
from tests.hypothesis_profiles import effort

CWD = Path("/repo")
TEXT = st.text(min_size=1, max_size=50).filter(str.strip)


def file_of(path: str, text: str) -> acp.schema.EmbeddedResourceContentBlock:
    return acp.resource_block(acp.embedded_text_resource(Path(path).as_uri(), text))


@effort(100)
@given(st.lists(TEXT, min_size=1, max_size=5), st.integers(300, 400))
def test_nothing_that_was_said_is_lost_whatever_the_limit(parts: list[str], limit: int):
    whole = "".join(parts * 10).strip()
    said = read_prompt([acp.text_block(part) for part in parts * 10], CWD, limit)
    assert len(said.text) <= limit
    if len(whole) <= limit:
        assert (said.text, said.files) == (whole, ())
    else:
        assert [file.content.decode() for file in said.files] == [whole]


def test_files_of_the_repository_are_mentioned_and_others_linked():
    inside = acp.resource_link_block("a.py", "file:///repo/src/a.py")
    outside = acp.resource_link_block("b.py", "file:///elsewhere/b.py")
    above = acp.resource_link_block("c.py", "file:///repo/../c.py")
    said = read_prompt([acp.text_block("See"), inside, outside, above], CWD, 1000)
    assert "@src/a.py" in said.text
    assert "[b.py](file:///elsewhere/b.py)" in said.text


def test_a_short_file_is_quoted_as_the_editor_has_it_and_a_long_one_attached():
    said = read_prompt(
        [file_of("/repo/a.py", "x = 1\n"), file_of("/repo/b.py", "y" * 30_000)], CWD, 5000
    )
    assert "@a.py, as it is in the editor" in said.text
    assert "x = 1" in said.text
    assert [(file.name, len(file.content)) for file in said.files] == [("b.py", 30_000)]


def test_images_are_attached_under_a_name_with_their_type():
    image = acp.image_block(base64.b64encode(b"\x89PNG").decode(), "image/svg+xml")
    (file,) = read_prompt([image], CWD, 1000).files
    assert (file.name, file.content) == ("image-1.svg", b"\x89PNG")


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ([acp.text_block("  ")], "empty"),
        ([acp.image_block("no base64!", "image/png")], "base64"),
        ([acp.image_block("", "image/png")], "empty"),
        ([acp.image_block("AAAA", "image/png")] * (MAX_ATTACHMENTS + 1), "at most"),
        ([acp.image_block(base64.b64encode(b"x" * (6 << 20)).decode(), "image/png")], "bytes"),
        ([acp.resource_link_block("a", "http://[a")], "'http://\\[a' is no URI: name"),
        ([acp.resource_block(acp.embedded_text_resource("file://[/a", "x"))], "is no URI"),
    ],
)
def test_what_cannot_be_sent_is_refused_in_words(blocks: list, words: str):
    with pytest.raises(CommandError, match=words):
        read_prompt(blocks, CWD, 1000)


@effort(100)
@given(st.text(max_size=30))
def test_the_name_of_a_file_is_one_that_attachments_may_have(name: str):
    uri = f"file:///tmp/{name}"
    blob = acp.schema.BlobResourceContents(uri=uri, blob="AAAA")
    try:
        said = read_prompt([acp.resource_block(blob)], CWD, 1000)
    except CommandError:
        return  # no URI at all
    assert said.files[0].name.isprintable()
    assert "/" not in said.files[0].name
