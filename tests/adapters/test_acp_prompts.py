"""Files that go with a prompt, as the real scripted agent gets them."""

import base64
from pathlib import Path

import pytest

from adapters.acp.prompts import blocks, links
from domain.agents.agents import Prompt
from domain.core.attachments import AttachedFile
from tests.adapters.agent_lab import open_lab

PNG = AttachedFile(name="shot.png", content=b"\x89PNG\r\n\x1a\n123")
NOTES = AttachedFile(name="notes.md", content="# Größe\n".encode())
LONG = AttachedFile(name="long.txt", content=b"x" * (300 << 10))
ALL = {"image": True, "audio": True, "embeddedContext": True}


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        yield lab


@pytest.mark.parametrize(
    ("file", "can", "kind"),
    [
        (PNG, ALL, "image"),
        (PNG, {}, "resource_link"),
        (NOTES, ALL, "resource"),
        (NOTES, {"image": True}, "resource_link"),
        (LONG, ALL, "resource_link"),
    ],
)
def test_a_file_becomes_the_block_that_the_agent_takes(tmp_path, file, can, kind):
    path = tmp_path / file.name

    text, block = blocks("Look", [file], [path], can)

    assert text == {"type": "text", "text": "Look"}
    assert block["type"] == kind
    if kind == "image":
        assert (block["mimeType"], base64.b64decode(block["data"])) == ("image/png", file.content)
    elif kind == "resource":
        assert block["resource"]["text"] == "# Größe\n"
    else:
        assert (block["uri"], block["name"]) == (path.as_uri(), file.name)


def contents(places):
    return [Path(place).read_bytes() for place in places]


async def test_files_lie_where_the_prompt_says_and_agents_get_their_kinds(lab):
    lab.scenario({"say": "${blocks}"}, can={"prompt": {"image": True}})

    answer, record = await lab.run("Look", files=(PNG, NOTES))

    assert answer.text.endswith("text image resource_link")
    [sent] = record.prompts()
    assert sent.startswith("Look\n\n## Attached files\n\n- shot.png (image/png, 11 bytes): /")
    places = [line.rpartition(": ")[2] for line in sent.splitlines()[-2:]]
    assert contents(places) == [PNG.content, NOTES.content]


async def test_two_files_of_one_name_are_both_there(lab):
    lab.scenario({"say": "ok"})
    other = AttachedFile(name=PNG.name, content=b"other")

    _, record = await lab.run("Look", files=(PNG, other))

    [sent] = record.prompts()
    assert "/1/shot.png" in sent
    assert "/2/shot.png" in sent


def test_files_that_words_name_become_links_and_nothing_outside_does(tmp_path):
    (tmp_path / "work" / "src").mkdir(parents=True)
    (tmp_path / "work" / "src" / "app.py").write_text("x = 1\n")
    (tmp_path / "secret").write_text("x")
    (tmp_path / "work" / "out").symlink_to(tmp_path / "secret")
    words = "@src/app.py, again @src/app.py; @../secret @out @/etc/passwd @src @ann"

    [link] = links(tmp_path / "work", Prompt(fields={"text": words}))

    path = tmp_path / "work" / "src" / "app.py"
    assert link == {
        "type": "resource_link",
        "uri": path.as_uri(),
        "name": "src/app.py",
        "size": 6,
    }


async def test_the_agent_gets_a_link_to_a_file_that_the_message_names(lab):
    lab.scenario({"say": "${blocks}"})
    (lab.cwd / "notes.md").write_text("x")
    words = "Read @notes.md"

    answer, _ = await lab.run(words, words=Prompt(fields={"text": words}))

    assert answer.text.endswith("text resource_link")
