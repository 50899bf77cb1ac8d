"""YAML from outside: what is refused, with its place and name, and what stays text."""

import time

import pytest

from adapters.files.frontmatter import MAX_BYTES, UnsafeYamlError, load_yaml, split

BOMB = "a0: &a0 {x: 1}\n" + "".join(
    f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 15)
)


@pytest.mark.parametrize(
    ("text", "type_name", "line"),
    [
        (BOMB, "yaml_feature_not_allowed", 1),
        ("a: 1\nb: &x y", "yaml_feature_not_allowed", 2),
        ("a: *x", "yaml_feature_not_allowed", 1),
        ("a:\n  <<: {b: 1}", "yaml_feature_not_allowed", 2),
        ("a: !!python/object:os.system x", "yaml_feature_not_allowed", 1),
        ("a: !mine x", "yaml_feature_not_allowed", 1),
        ("a: !!str 1", "yaml_feature_not_allowed", 1),
        ("a: 1\nb: 2\na: 3", "duplicate_key", 3),
        ("a: 1\n'a': 3", "duplicate_key", 2),
        ("a: {b: 1, b: 2}", "duplicate_key", 1),
        ("a: 1\n---\nb: 2", "many_documents", 2),
        ("a:\n\tb: 1", "yaml_syntax", 2),
        ("a: b: c", "yaml_syntax", 1),
        ("a: [", "yaml_syntax", 2),
        ("a: 1\nb: x\0", "control_character", 2),
        ("a: \x1b[31m", "control_character", 1),
        ("? [a]\n: 1", "wrong_type", 1),
        ("[1]", "not_a_mapping", 1),
        ("only words", "not_a_mapping", 1),
        ("[" * 30_000, "too_deep", 1),
        ("- " * 30_000, "too_deep", 1),
        ("a: [" + "1," * 30_000 + "]", "too_many_nodes", 1),
        ("a: " + "x" * MAX_BYTES, "too_big", 0),
    ],
)
def test_what_is_refused_says_where_and_by_which_name(text, type_name, line):
    with pytest.raises(UnsafeYamlError, match=type_name) as caught:
        load_yaml(text.encode())
    assert (caught.value.type, caught.value.line) == (type_name, line)
    assert len(str(caught.value)) < 300


def test_a_bomb_of_merge_keys_costs_next_to_nothing():
    begin = time.process_time()
    with pytest.raises(UnsafeYamlError):
        load_yaml(BOMB[:796].encode())
    assert time.process_time() - begin < 0.05


@pytest.mark.parametrize(
    "text",
    ["no", "on", "yes", "off", "y", "010", "2026-01-01", "12:30:00", "0x1f", "1_000", ".inf"],
)
def test_what_yaml_readers_differ_on_stays_text(text):
    assert load_yaml(f"a: {text}\n{text}: 1\n".encode()) == {"a": text, text: 1}


def test_what_all_readers_agree_on_has_its_type():
    text = b"a: true\nb: null\nc: -12\nd: 1.5e3\ne: '1'\nf: [1, {g: ~}]\nh: |\n  true\ni:\n"
    assert load_yaml(text) == {
        "a": True,
        "b": None,
        "c": -12,
        "d": 1500.0,
        "e": "1",
        "f": [1, {"g": None}],
        "h": "true\n",
        "i": None,
    }


@pytest.mark.parametrize("raw", [b"", b"# nothing\n", b"---\n"])
def test_an_empty_text_is_an_empty_mapping(raw):
    assert load_yaml(raw) == {}


def test_a_mark_of_byte_order_and_windows_line_ends_are_fine():
    assert split(b"\xef\xbb\xbf---\r\na: x\r\n---\r\nprose\r\n")[:2] == ({"a": "x"}, "prose\n")


@pytest.mark.parametrize("codec", ["latin-1", "utf-16", "utf-32"])
def test_other_encodings_are_refused(codec):
    with pytest.raises(UnsafeYamlError, match="not_utf8"):
        load_yaml("a: ä".encode(codec))


@pytest.mark.parametrize("raw", [b"", b"# Title\n", b"---\na: 1\n", b" ---\na: 1\n---\n"])
def test_a_file_without_a_closed_frontmatter_is_refused(raw):
    with pytest.raises(UnsafeYamlError, match="frontmatter must be a mapping"):
        split(raw)


def test_places_in_a_frontmatter_are_those_of_the_file():
    with pytest.raises(UnsafeYamlError, match="line 3, column 1"):
        split(b"---\na: 1\na: 2\n---\n")
