"""A process's log as JSON: an object a line, with the ids that a record carries, without secrets."""

import json
import os
import subprocess
import sys

SECRET = "canary-of-the-log-0123456789"
LOGGING = """
import logging, os
from adapters.logs import keep_log_clean
from adapters.redaction import Redactor

secret = os.environ["CANARY_TOKEN"]
keep_log_clean(Redactor({"CANARY_TOKEN": secret}), "json", "info")
log = logging.getLogger("treadle.test")
log.debug("not shown")
log.info("a turn began\\nwith %s", secret, extra={"thread_id": "thread-a", "token": secret, "made": object()})
raise RuntimeError(secret)
"""


def test_each_record_is_an_object_on_one_line_without_secrets():
    done = subprocess.run(
        [sys.executable, "-c", LOGGING],
        env={**os.environ, "CANARY_TOKEN": SECRET, "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=False,
    )
    record, ended = map(json.loads, done.stderr.splitlines())
    assert record.pop("time").endswith("+00:00")
    assert record == {
        "level": "INFO",
        "logger": "treadle.test",
        "message": "a turn began\nwith [redacted:CANARY_TOKEN]",
        "thread_id": "thread-a",
        "token": "[redacted:CANARY_TOKEN]",
    }
    assert ended["level"] == "CRITICAL"
    assert "RuntimeError: [redacted:CANARY_TOKEN]" in ended["exception"]
    assert SECRET not in done.stderr
