"""Secrets by their form: what looks like a key, token or password, and is replaced by `[redacted:NAME]`.

Pure, so workflows can keep it out of what they leave in clear; adapters/redaction.py adds the known values.
A secret without such a form, and one in another encoding, is not found.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from domain.core.printable import UNSEEN

PEM_HEAD = r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
PEM_END = r"-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_URL_PART = r"\s/@\"'<>\[\]{}$"
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
    ("sk-ant-", "anthropic-key", r"\bsk-ant-[A-Za-z0-9_-]{20,200}+"),
    (
        *("sk-", "openai-key"),
        r"\bsk-(?:proj-|svcacct-|admin-)?(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{32,200}+",
    ),
    ("gh", "github-token", r"\bgh[pousr]_[A-Za-z0-9]{36,255}+"),
    ("github_pat_", "github-token", r"\bgithub_pat_[A-Za-z0-9_]{40,255}+"),
    ("glpat-", "gitlab-token", r"\bglpat-[A-Za-z0-9_-]{20,64}+"),
    ("xox", "slack-token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,200}+"),
    ("akia", "aws-key-id", r"\bAKIA[A-Z2-7]{16}\b"),
    ("asia", "aws-key-id", r"\bASIA[A-Z2-7]{16}\b"),
    (
        *("aws_secret_access_key", "aws-secret"),
        r"(?P<keep>(?i:aws_secret_access_key ?[=:] ?\"?))[A-Za-z0-9/+]{40}",
    ),
    ("aiza", "google-key", r"\bAIza[A-Za-z0-9_-]{35}"),
    ("k_live_", "stripe-key", r"\b[rs]k_live_[A-Za-z0-9]{20,200}+"),
    ("npm_", "npm-token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("pypi-age", "pypi-token", r"\bpypi-AgE[A-Za-z0-9_-]{50,255}+"),
    ("hf_", "huggingface-token", r"\bhf_[A-Za-z0-9]{34,40}\b"),
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

    def _is_possible(self, text: str) -> bool:
        return self.sign in text or self.sign in text.lower()

    def _replacement(self, match: re.Match[str]) -> str:
        return f"{match.groupdict().get('keep') or ''}[redacted:{self.name}]"


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


def _replaced(text: str, forms: tuple[SecretForm, ...]) -> str:
    for form in forms:
        text = form.replace(text)
    return text
