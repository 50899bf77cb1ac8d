"""Pictures that steps leave: what is kept, and what never is, whatever an agent put in their place."""

import base64
import hashlib
import os
from pathlib import Path

import pytest

from adapters.verification.pictures import MAX_ENTRIES, KeptPictures
from adapters.verification.verifier import StepVerifier
from domain.verification.pictures import LIMIT_BYTES, MAX_PICTURES, TOTAL_BYTES
from domain.verification.ports import StepPlace
from domain.verification.steps import StepType, VerificationStep
from tests.adapters.task_specs import spec_of

PNG = b"\x89PNG\r\n\x1a\n" + b"pixels"
JPEG = b"\xff\xd8\xff\xe0pixels"
WEBP = b"RIFF\x10\0\0\0WEBPVP8 pixels"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


class Texts:
    """A journal's texts in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    async def put_text(self, text: str) -> str:
        reference = hashlib.sha256(text.encode()).hexdigest()
        self.kept[reference] = text
        return reference


@pytest.fixture
def texts() -> Texts:
    return Texts()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    return folder


@pytest.fixture
def keep(texts: Texts, root: Path):
    async def keep_matches(*globs: str):
        pictures, notes = await KeptPictures(texts.put_text).keep(root, globs)
        return [picture.name for picture in pictures], "\n".join(notes)

    return keep_matches


def write(root: Path, name: str, content: bytes = PNG) -> Path:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


async def test_a_picture_is_kept_to_the_byte_with_its_digest(texts, root):
    write(root, "shots/page.png")

    (picture,), notes = await KeptPictures(texts.put_text).keep(root, ["shots/*.png"])

    assert base64.b64decode(texts.kept[picture.content_ref]) == PNG
    assert picture.sha256 == hashlib.sha256(PNG).hexdigest()
    assert (picture.name, picture.mime_type, picture.size_bytes) == (
        "shots/page.png",
        "image/png",
        len(PNG),
    )
    assert notes == []


async def test_the_type_is_that_of_the_content_whatever_the_name_says(texts, root):
    write(root, "a.png", JPEG)
    write(root, "b.bin", WEBP)

    pictures, _ = await KeptPictures(texts.put_text).keep(root, ["*"])

    assert [picture.mime_type for picture in pictures] == ["image/jpeg", "image/webp"]


@pytest.mark.parametrize(
    "content",
    [SVG, b"<html><img src=x onerror=alert(1)>", b"GIF89a;", b"%PDF-1.7", b"", b" " + PNG],
    ids=["svg", "html", "gif", "pdf", "empty", "png behind a blank"],
)
async def test_what_is_no_picture_is_not_kept(keep, root, content):
    write(root, "page.png", content)

    names, notes = await keep("*.png")

    assert names == []
    assert "'page.png' not kept: it is no PNG, JPEG or WebP" in notes


@pytest.mark.parametrize(
    ("glob", "names"),
    [
        ("*.png", ["a.png"]),
        ("shots/*.png", ["shots/b.png"]),
        ("./shots//b.png", ["shots/b.png"]),
        ("**/*.png", ["a.png", "shots/b.png", "shots/deep/c.png"]),
        ("shots/**", ["shots/b.png", "shots/deep/c.png"]),
        ("shots", []),
        ("b.png", []),
    ],
)
async def test_globs_match_by_folders(keep, root, glob, names):
    for name in ("a.png", "shots/b.png", "shots/deep/c.png"):
        write(root, name)

    assert (await keep(glob))[0] == names


async def test_a_glob_that_matches_nothing_is_said(keep):
    assert (await keep("shots/*.png"))[1] == "no file matches 'shots/*.png'"


async def test_a_link_out_of_the_checkout_is_not_followed(keep, root, tmp_path):
    secret = write(tmp_path, "secret.png")
    (root / "page.png").symlink_to(secret)

    names, notes = await keep("*.png")

    assert names == []
    assert "symbolic link" in notes


@pytest.mark.parametrize("glob", ["shots/*.png", "**/*.png", "shots/secret.png"])
async def test_a_folder_that_is_a_link_is_not_entered(keep, root, tmp_path, glob):
    write(tmp_path, "elsewhere/secret.png")
    (root / "shots").symlink_to(tmp_path / "elsewhere")

    assert (await keep(glob))[0] == []


async def test_a_checkout_that_is_a_link_itself_gives_nothing(texts, tmp_path):
    write(tmp_path, "elsewhere/secret.png")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")

    pictures, _ = await KeptPictures(texts.put_text).keep(tmp_path / "link", ["*.png"])

    assert pictures == ()


@pytest.mark.parametrize("glob", ["/etc/*.png", "../*.png", "a/../../*.png"])
async def test_a_glob_that_leads_out_gives_nothing(keep, root, glob):
    write(root.parent, "secret.png")
    (root / "a").mkdir()

    assert (await keep(glob))[0] == []


async def test_a_fifo_in_the_place_of_a_picture_holds_nobody(keep, root):
    os.mkfifo(root / "page.png")

    names, notes = await keep("*.png")

    assert names == []
    assert "is not a regular file" in notes


async def test_a_huge_file_is_not_kept(keep, root):
    with write(root, "page.png").open("ab") as file:
        file.truncate(LIMIT_BYTES + 1)

    names, notes = await keep("*.png")

    assert names == []
    assert f"at most {LIMIT_BYTES} bytes" in notes


async def test_all_pictures_of_a_step_have_a_limit_together(keep, root):
    count = TOTAL_BYTES // LIMIT_BYTES + 1
    for number in range(count):
        os.truncate(write(root, f"{number}.png"), LIMIT_BYTES)

    names, notes = await keep("*.png")

    assert len(names) == count - 1
    assert "the pictures of a step have at most 20 MB" in notes


async def test_of_a_thousand_pictures_the_first_ten_are_kept(keep, root):
    for number in range(1000):
        write(root, f"{number:04}.png")

    names, notes = await keep("*.png")

    assert names == [f"{number:04}.png" for number in range(MAX_PICTURES)]
    assert notes == "990 more files not kept: at most 10 pictures"


async def test_a_thousand_files_that_are_no_pictures_make_few_words(keep, root):
    for number in range(1000):
        write(root, f"{number:04}.png", SVG)

    names, notes = await keep("*.png")

    assert names == []
    assert len(notes.splitlines()) == 6


async def test_a_tree_without_end_is_looked_at_for_a_while_only(keep, root, monkeypatch):
    monkeypatch.setattr("adapters.verification.pictures.MAX_ENTRIES", 100)
    for number in range(200):
        (root / f"{number:04}").mkdir()

    _, notes = await keep("**/*.png")

    assert MAX_ENTRIES > 100
    assert "only 100 files and folders were looked at" in notes


@pytest.mark.parametrize("name", [b"a\nb.png", b"a\x1b[2J.png", b"a\xff.png"])
async def test_a_name_that_cannot_be_shown_is_not_kept(keep, root, name):
    (Path(os.fsencode(root).decode()) / os.fsdecode(name)).write_bytes(PNG)

    names, notes = await keep("*.png")

    assert names == []
    assert "its name has control characters" in notes
    assert notes.isprintable()


@pytest.mark.parametrize("command", ["cp ready shot.png", "cp ready shot.png; exit 3"])
async def test_a_step_keeps_what_it_left_also_where_it_failed(spawner, root, texts, command):
    write(root, "ready")
    verifier = StepVerifier(spawner)
    verifier.pictures = KeptPictures(texts.put_text)
    step = VerificationStep(
        id="s1", type=StepType.COMMAND, command=command, keep=("*.png", "none.webp")
    )

    result, output = await verifier.run_step(
        step, StepPlace(root, spec_of(root, "task-1")), lambda: None
    )

    assert result.passed == ("exit" not in command)
    assert [picture.name for picture in result.pictures] == ["shot.png"]
    assert output.endswith("keep: no file matches 'none.webp'")
    assert result.output == output
