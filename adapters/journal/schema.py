"""The journal's schema: made at once where there is none, else brought up by the revisions it lacks.

A revision's id is the generation of its release and a number, `02_0003`. A journal that is one
generation newer than the code is used as it is: newer code only adds to it (docs/adr/0058).
"""

from pathlib import Path

from sqlalchemy import Connection, insert, inspect, select, text
from sqlalchemy import column as named
from sqlalchemy import table as of

from adapters.journal import (
    answers,
    audit,
    charges,
    device_logins,
    hosts,
    invitations,
    known_keys,
    mentions,
    news,
    passkeys,
    presence,
    push_subscriptions,
    search_tables,
    seen_people,
    sign_ins,
    snoozes,
    tables,
    tokens,
    webhook_deliveries,
)
from adapters.journal.schema_copy import copy_before
from domain.core.errors import JournalError

REVISIONS = Path(__file__).with_name("revisions")
METADATA = tables.METADATA
PARTS = (
    *(answers, hosts, invitations, known_keys, presence, search_tables, tables),
    *(audit, device_logins, mentions, news, passkeys, seen_people, sign_ins, snoozes, tokens),
    *(push_subscriptions, webhook_deliveries, charges),
)
"""The modules with tables of the journal; a new one is added here."""

SCHEMA_LOCK = 0x7472_6561_646C_66
"""Taken on a server by who makes or upgrades tables; not the one that older versions write under."""

MAKE_VERSION = (
    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
    "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
)
_VERSION = of("alembic_version", named("version_num"))


def newest_revision() -> str:
    """Return the id of the newest revision of this code, by the names of their files."""
    newest = max(file.stem for file in (REVISIONS / "versions").glob("r*.py"))
    generation, number, _ = newest.removeprefix("r").split("_", 2)
    return f"{generation}_{number}"


def prepare_schema(connection: Connection, file: Path | None) -> None:
    """Bring the schema up to this code's, in the transaction of the connection; the first process does it.

    A SQLite file with events is copied first, beside itself.

    Raises:
        JournalError: The journal is of a version that this code cannot use; says what to do.
    """
    if file is None:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": SCHEMA_LOCK})
    newest, found = newest_revision(), revision_of(connection)
    if found is None and not inspect(connection).has_table(tables.EVENTS.name):
        make_schema(connection)
    elif found is None or found < newest:
        copy_before(newest, connection, file)
        _upgrade(connection)
    elif generation_of(found) > generation_of(newest) + 1:
        raise JournalError(
            f"the journal was upgraded by a Treadle that is more than one version newer (schema {found}, "
            f"this one knows {newest}): update Treadle, or restore the backup from before the upgrade"
        )


def revision_of(connection: Connection) -> str | None:
    """Return the revision of a journal; None where it has none, as before 0.2."""
    if not inspect(connection).has_table(_VERSION.name):
        return None
    return connection.scalar(select(_VERSION.c.version_num))


def make_schema(connection: Connection) -> None:
    """Make all tables as the newest revision has them."""
    METADATA.create_all(connection)
    search_tables.make_word_tables(connection)
    connection.execute(text(MAKE_VERSION))
    connection.execute(insert(_VERSION).values(version_num=newest_revision()))


def _upgrade(connection: Connection) -> None:
    from alembic import command  # loaded by the one process that needs it
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(REVISIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def generation_of(revision: str) -> int:
    """Return the generation of a revision, which is its release's."""
    return int(revision.split("_", maxsplit=1)[0])
