"""Secrets in text: found by their value or by their form, and replaced by `[redacted:NAME]`.

Applied where text enters what Treadle keeps: the journal, results and failures of activities,
commands of agents, logs. A secret without a known value or form is
not found. Values in other encodings (base64, hexadecimal) are not found either.
"""

import re
import string
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, TypeVar, cast
from urllib.parse import quote

from pydantic import BaseModel

from domain.core.printable import UNFINISHED, UNSEEN
from domain.core.secret_forms import PEM_END, PEM_HEAD, SECRET_FORMS, SecretForm, without_secrets

Model = TypeVar("Model", bound=BaseModel)

SHORTEST_VALUE = 8
"""A shorter value would be found in words that are no secret."""

_HELD_LIMIT = 8 << 10
"""So many characters of a text are held back at most, until it is known what they begin."""

_HELD_UNSEEN_LIMIT = 32 << 10
"""As much with what a reader does not see of it."""

_URL_LIMIT = 600
"""A longer name and password in a URL are not waited for."""

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH(?!OR)", re.IGNORECASE)
_BEGINNINGS = (
    *("-----BEGIN ", "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox"),
    *("AKIA", "ASIA", "AIza", "sk_live_", "rk_live_", "npm_", "pypi-AgE", "hf_", "eyJ", "://"),
    *("bearer ", "authorization: basic ", "aws_secret_access_key = "),
)
"""How the forms begin; a text that ends with a part of one may go on as a secret."""

_ANYWHERE = ("-----BEGIN ", "gh", "glpat-", "xox")
"""How those begin that are found in the midst of a word as well."""

_TOKEN = string.ascii_letters + string.digits + '._~+/=-"\\'
_IN_TOKEN = re.compile(
    r"gh[pousr]_|github_pat_|glpat-|xox"
    r"|(?<![A-Za-z0-9])(?:sk-|AKIA|ASIA|AIza|[rs]k_live_|npm_|pypi-AgE|hf_|eyJ)"
)
_BEFORE_TOKEN = re.compile(r"(?i:bearer |authorization: basic |aws_secret_access_key ?[=:] ?)\Z")
_OPEN_PEM = re.compile(
    rf"-----BEGIN [A-Z0-9 ]{{0,80}}-{{0,5}}\Z|{PEM_HEAD}(?:[A-Za-z0-9+/=:,\s-]|\\[nr]?)*+\Z"
)


def _before_last(text: str, count: int) -> int:
    """Return where the last so many characters begin of those that a reader sees."""
    if not count:
        return len(text)
    end, left = len(text), count
    for hidden in reversed(list(UNSEEN.finditer(text))):
        if end - hidden.end() >= left:
            break
        left -= end - hidden.end()
        end = hidden.start()
    return end - left


def is_secret_name(name: str) -> bool:
    """Tell whether a variable's name says that its value is a secret."""
    return _SECRET_NAME.search(name) is not None


class Redactor:
    """Replaces secrets: `values`, the known ones by their names, and what has a secret's form."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._known: dict[str, str] = {}
        self.learn(values)

    def learn(self, values: Mapping[str, str]) -> None:
        """Know more secrets from now on; what was kept before is not looked at again."""
        self._known |= {
            form: name
            for name, value in values.items()
            for form in (value, quote(value, safe=""))
            if len(form) >= SHORTEST_VALUE
        }
        known, names = sorted(self._known, key=len, reverse=True), self._known
        self._values = known
        exact = (SecretForm(v.lower(), names[v], re.compile(re.escape(v))) for v in known)
        self._forms = (*exact, *SECRET_FORMS)

    def text(self, text: str) -> str:
        """Return a text without its secrets."""
        return without_secrets(text, self._forms)

    def tree(self, value: Any) -> Any:
        """Return a value of dicts, lists and scalars with every text in it, names too, redacted."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            items = cast("Mapping[Any, Any]", value).items()
            return {self.tree(key): self.tree(item) for key, item in items}
        if isinstance(value, list | tuple):
            return [self.tree(item) for item in cast("Iterable[Any]", value)]
        return value

    def model(self, model: Model) -> Model:
        """Return a model with every text in it redacted; the same one where there is nothing to."""
        plain = model.model_dump(mode="json")
        redacted = self.tree(plain)
        return model if redacted == plain else type(model).model_validate(redacted)

    def settled(self, text: str) -> tuple[str, str]:
        """Split a text that will go on: what is over, redacted, and the rest, as it is.

        The rest may be the beginning of a secret, or of what a reader would see as one; it is to be
        put before the next piece.
        """
        cut = self._settled_until(text)
        if UNSEEN.search(text) is not None:
            whole = UNFINISHED.sub("", text[:cut])
            seen = UNSEEN.sub("", whole)
            longer = _before_last(whole, len(seen) - self._settled_until(seen))
            cut = longer if len(text) - longer <= _HELD_UNSEEN_LIMIT else cut
        return self.text(text[:cut]), text[cut:]

    def _settled_until(self, text: str) -> int:
        """Return up to where nothing in a text can be a part of a secret that goes on after it."""
        cut = len(text) - self._open_length(text[-_HELD_LIMIT:])
        spans = [span for form in self._forms for span in form.spans(text)]
        while inside := [start for start, end in spans if start < cut < end]:
            cut = min(inside)
        return cut

    def _open_length(self, end: str) -> int:
        """Return how many characters at the end of a text may be the beginning of a secret."""
        longest = max(_open_token(end), _open_key(end), _open_url(end))
        for value in self._values:
            sizes = range(min(len(value) - 1, len(end)), longest, -1)
            longest = next((size for size in sizes if end.endswith(value[:size])), longest)
        for beginning in _BEGINNINGS:
            sizes = range(min(len(beginning), len(end)), longest, -1)
            ends = (
                end.endswith if beginning.startswith(_ANYWHERE) else partial(_ends_with_word, end)
            )
            longest = next((n for n in sizes if ends(beginning[:n])), longest)
        return longest


def _ends_with_word(text: str, beginning: str) -> bool:
    """Tell whether a text ends with the beginning of a form, and not in the middle of a word."""
    if not text.lower().endswith(beginning.lower()):
        return False
    before = text[-len(beginning) - 1 : -len(beginning)]
    return not (before.isascii() and before.isalnum())


def _open_token(end: str) -> int:
    """Return the length of a token at the end that may be a secret, with the word before it."""
    start = len(end.rstrip(_TOKEN))
    before = _BEFORE_TOKEN.search(end, 0, start)
    if before:
        return len(end) - before.start()
    inside = _IN_TOKEN.search(end, start)
    return len(end) - inside.start() if inside else 0


def _open_key(end: str) -> int:
    """Return the length of a private key at the end that is not over."""
    start = end.rfind("-----BEGIN ")
    if start < 0 or re.search(PEM_END, end[start:]) or not _OPEN_PEM.match(end, start):
        return 0
    return len(end) - start


def _open_url(end: str) -> int:
    """Return the length of a URL's user and password at the end."""
    start = end.rfind("://")
    is_open = (
        start >= 0
        and len(end) - start < _URL_LIMIT
        and not re.search(r"[\s/\"'<>]", end[start + 3 :])
    )
    return len(end) - start if is_open else 0
