"""Secrets by their form: what looks like a key, token or password, and is replaced by `[redacted:NAME]`.

Pure, so workflows can keep it out of what they leave in clear; adapters/redaction.py adds the known values.
A secret without such a form, and one in another encoding, is not found. A form that words joined by dashes
could have wants a digit or a capital where real ones have them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from domain.core.printable import SEQUENCES, UNPRINTABLE, UNSEEN

PEM_HEAD = r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
PEM_END = r"-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_URL_PART = r"\s/@\"'<>\[\]{}$"
_START = r"(?<![A-Za-z0-9])"
"""What begins as many words do is a secret only where a word begins; the other forms are found anywhere."""

_END = r"(?![A-Za-z0-9])"
_SPELLED: tuple[tuple[str, str, str], ...] = (
    # what every match holds, in small letters; the name; the form, linear in the text's length
    (
        *("-----begin ", "private-key"),
        rf"{PEM_HEAD}(?:(?:[A-Za-z0-9+/=:,\s]|-(?!-)|\\[nr])*+-?{PEM_END}"
        r"|(?:[A-Za-z0-9+/=\r\n]|\\[nr])*+\Z)",
    ),
    (
        *("://", "url-password"),
        rf"(?P<keep>://)[^:{_URL_PART}]{{0,64}}+:[^{_URL_PART}]{{3,256}}+(?=@[\w-]{{1,63}}\.[\w.-]{{0,200}}[a-z])",
    ),
    (
        *("bearer ", "authorization"),
        r"(?P<keep>(?i:bearer ))(?=[A-Za-z._~+/-]{0,64}[0-9])[A-Za-z0-9._~+/=-]{16,4096}+",
    ),
    (
        *("authorization: basic ", "authorization"),
        r"(?P<keep>(?i:authorization: basic ))[A-Za-z0-9+/=]{8,4096}+",
    ),
    (
        "sk-ant-",
        "anthropic-key",
        rf"{_START}sk-ant-(?=[a-z_-]{{0,19}}[A-Z0-9])[A-Za-z0-9_-]{{20,200}}+",
    ),
    (
        *("sk-", "openai-key"),
        rf"{_START}sk-(?!ant-)(?:proj-|svcacct-|admin-)?(?=[A-Za-z_-]{{0,64}}[0-9])[A-Za-z0-9_-]{{32,200}}+",
    ),
    ("gh", "github-token", r"gh[pousr]_[A-Za-z0-9]{36,255}+"),
    ("github_pat_", "github-token", r"github_pat_[A-Za-z0-9_]{40,255}+"),
    ("glpat-", "gitlab-token", r"glpat-(?=[a-z_-]{0,19}[A-Z0-9])[A-Za-z0-9_-]{20,64}+"),
    ("xox", "slack-token", r"xox[abeoprs]-(?=[a-z-]{0,9}[A-Z0-9])[A-Za-z0-9-]{10,200}+"),
    ("akia", "aws-key-id", rf"{_START}AKIA[A-Z2-7]{{16}}{_END}"),
    ("asia", "aws-key-id", rf"{_START}ASIA[A-Z2-7]{{16}}{_END}"),
    (
        *("aws_secret_access_key", "aws-secret"),
        r"(?P<keep>(?i:aws_secret_access_key ?[=:] ?\"?))[A-Za-z0-9/+]{40}",
    ),
    ("aiza", "google-key", rf"{_START}AIza[A-Za-z0-9_-]{{35}}"),
    ("k_live_", "stripe-key", rf"{_START}[rs]k_live_[A-Za-z0-9]{{20,200}}+"),
    ("npm_", "npm-token", rf"{_START}npm_[A-Za-z0-9]{{36}}{_END}"),
    ("pypi-age", "pypi-token", rf"{_START}pypi-AgE[A-Za-z0-9_-]{{50,255}}+"),
    ("hf_", "huggingface-token", rf"{_START}hf_[A-Za-z0-9]{{34,40}}{_END}"),
    (
        *("eyj", "jwt"),
        r"(?<![\w-])eyJ[\w-]{10,4096}+\.eyJ[\w-]{10,8192}+\.[\w-]{20,1024}+",
    ),
)


@dataclass(frozen=True)
class SecretForm:
    """A way to find a secret; `sign` is in every text that holds one, and quickly looked for."""

    sign: str
    name: str
    pattern: re.Pattern[str]

    def replace(self, text: str) -> str:
        """Return a text without secrets of this form."""
        return self.pattern.sub(self._replacement, text) if self._is_possible(text) else text

    def spans(self, text: str) -> Iterable[tuple[int, int]]:
        """Return where secrets of this form are."""
        return (m.span() for m in self.pattern.finditer(text)) if self._is_possible(text) else ()

    def values(self, text: str) -> Iterable[tuple[int, int]]:
        """Return where the secrets themselves are, without what of their form stays."""
        for match in self.pattern.finditer(text) if self._is_possible(text) else ():
            yield (match.end("keep") if "keep" in match.groupdict() else match.start()), match.end()

    def _is_possible(self, text: str) -> bool:
        return self.sign in text or self.sign in text.lower()

    def _replacement(self, match: re.Match[str]) -> str:
        return f"{match.groupdict().get('keep') or ''}[redacted:{self.name}]"


_BREAKS = re.compile(rf"(?:{SEQUENCES}|[\n⏎\ufe00-\ufe0f\u034f{UNPRINTABLE}])+")
"""Line breaks, as they are and as we write them, and what is not seen."""

SECRET_FORMS = tuple(SecretForm(sign, name, re.compile(form)) for sign, name, form in _SPELLED)


def without_secrets(text: str, forms: Iterable[SecretForm] = SECRET_FORMS) -> str:
    """Return a text without its secrets; without its colours where one stands in a secret's midst.

    A reader sees such a secret whole: `rg sk-` on a terminal colours its first letters.
    """
    forms = tuple(forms)
    clean = _replaced(text, forms)
    if UNSEEN.search(clean) is None:
        return clean
    seen = UNSEEN.sub("", clean)
    without = _replaced(seen, forms)
    return clean if without == seen else without


def without_split_secrets(text: str) -> str:
    """Return a text without its secrets, those too that line breaks or unseen characters divide.

    For short texts that are shown in clear: in long ones, two lines may together look like a secret.
    """
    clean = without_secrets(text)
    joined = _BREAKS.sub("", clean)
    if joined == clean:
        return clean
    found = [(*span, form.name) for form in SECRET_FORMS for span in form.values(joined)]
    return _without(clean, sorted(found)) if found else clean


def _without(text: str, found: Iterable[tuple[int, int, str]]) -> str:
    """Return a text without what was found in it when it had no breaks."""
    breaks = {at for gap in _BREAKS.finditer(text) for at in range(*gap.span())}
    places = [at for at in range(len(text)) if at not in breaks]
    kept, done = "", 0
    for start, end, name in found:
        if places[start] >= done:
            kept += f"{text[done : places[start]]}[redacted:{name}]"
        done = max(done, places[end - 1] + 1)
    return kept + text[done:]


def _replaced(text: str, forms: tuple[SecretForm, ...]) -> str:
    for form in forms:
        text = form.replace(text)
    return text
