"""Characters of foreign text that steer a terminal, hide, or turn the reading direction."""

import re

UNPRINTABLE = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1 but tab and line feed
    r"\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # bidi, invisible
    r"\U000e0000-\U000e007f\ud800-\udfff"  # tags, half characters
)
"""As the inside of a character class of `re`."""

SEQUENCES = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[ -/]*[0-~])"
"""What steers a terminal; one without its end ends with its line, and hides no more."""

CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"
UNSEEN = re.compile(rf"{SEQUENCES}|(?!\r){CONTROLS}")
"""What a reader does not see of output."""

UNFINISHED = re.compile(r"\x1b(?:\[?[ -?]*|[\]PX^_][^\x07\x1b\n]*\x1b?)\Z")
"""What may become a whole sequence as output goes on."""

_ANY = re.compile(f"[{UNPRINTABLE}]")


def visible(text: str) -> str:
    """Return text with each such character written out, as `[U+202E]`; nothing is left out."""
    return _ANY.sub(lambda found: f"[U+{ord(found[0]):04X}]", text.replace("\r\n", "\n"))
