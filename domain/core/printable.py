"""Characters of foreign text that steer a terminal, hide, or turn the reading direction."""

import re

UNPRINTABLE = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1 but tab and line feed
    r"\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # bidi, invisible
    r"\U000e0000-\U000e007f\ud800-\udfff"  # tags, half characters
)
"""As the inside of a character class of `re`."""

_ANY = re.compile(f"[{UNPRINTABLE}]")


def visible(text: str) -> str:
    """Return text with each such character written out, as `[U+202E]`; nothing is left out."""
    return _ANY.sub(lambda found: f"[U+{ord(found[0]):04X}]", text.replace("\r\n", "\n"))
