"""Passkeys of people, invitations to register one, and challenges.

Revision ID: 02_0008
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0008"
down_revision = "02_0007"

_METADATA = sa.MetaData()

sa.Table(
    "passkeys",
    _METADATA,
    sa.Column("credential_id", sa.Text, primary_key=True),
    sa.Column("passkey_id", sa.Text, nullable=False, unique=True),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("details", sa.Text, nullable=False),
)
sa.Table(
    "person_invitations",
    _METADATA,
    sa.Column("invitation_id", sa.Text, primary_key=True),
    sa.Column("hash", sa.Text, nullable=False, unique=True),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("details", sa.Text, nullable=False),
)
sa.Table(
    "passkey_challenges",
    _METADATA,
    sa.Column("hash", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("expires_at", sa.Text, nullable=False),
    sa.Column("details", sa.Text, nullable=False),
)


def upgrade() -> None:
    """Make the tables where they are not there yet."""
    _METADATA.create_all(op.get_bind())
