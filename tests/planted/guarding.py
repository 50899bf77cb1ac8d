"""Planted bugs at the doors: paths, tokens, secrets, idempotency keys, and the words people read."""

from tests.planted.bug import PlantedBug

GUARDING = (
    PlantedBug(
        name="a path leads through a link",
        file="adapters/files/safe_open.py",
        old="_RESOLVE = 0x02 | 0x04 | 0x08 ",
        new="_RESOLVE = 0x02 | 0x08 ",
        tests=("tests/adapters/test_safe_open.py",),
    ),
    PlantedBug(
        name="a path leads through a link on an old kernel",
        file="adapters/files/safe_open.py",
        old="""    if stat.S_ISLNK(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
""",
        new="",
        tests=("tests/adapters/test_safe_open.py",),
    ),
    PlantedBug(
        name="any web page may send requests",
        file="api/core/gate.py",
        old="if len(origin) > 1 or not self._reach.origins.issuperset(origin):",
        new="if len(origin) > 1:",
        tests=("tests/api/test_gate.py",),
    ),
    PlantedBug(
        name="any token is good",
        file="api/core/callers.py",
        old="if len(given) == 1 and hmac.compare_digest(_digest(given[0]), self._credentials):",
        new="if len(given) == 1:",
        tests=("tests/api/test_gate.py",),
    ),
    PlantedBug(
        name="a secret escapes over two pieces of output",
        file="adapters/redaction.py",
        old="return len(end) - inside.start() if inside else 0",
        new="return 0",
        tests=("tests/adapters/test_redaction.py",),
    ),
    PlantedBug(
        name="a known secret is shown in a URL",
        file="adapters/redaction.py",
        old='for form in (value, quote(value, safe=""))',
        new="for form in (value,)",
        tests=("tests/adapters/test_redaction.py",),
    ),
    PlantedBug(
        name="an id of one thread answers a command to another",
        file="api/core/idempotency.py",
        old="json.dumps([place, command])",
        new="json.dumps(command)",
        tests=("tests/api/test_repeats.py",),
    ),
    PlantedBug(
        name="an id that was used for another command gets its answer",
        file="api/core/idempotency.py",
        old="if kept.fingerprint != fingerprint:",
        new="if not kept.fingerprint:",
        tests=("tests/api/test_repeats.py",),
    ),
    PlantedBug(
        name="a rejection is worded as an approval",
        file="domain/reading/event_text/phrases.py",
        old="is_approved = outcome.choice is Choice.APPROVE",
        new="is_approved = bool(outcome.choice)",
        tests=("tests/domain/test_event_text.py",),
    ),
    PlantedBug(
        name="a released entry is worded as held",
        file="domain/reading/event_text/queue.py",
        old='f"{_subject(event.entry_id)} released{by(event.by)}"',
        new='f"{_subject(event.entry_id)} held{by(event.by)}"',
        tests=("tests/domain/test_event_wording.py",),
    ),
)
