"""Programs that ask to be signed in by a code.

Revision ID: 02_0007
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0007"
down_revision = "02_0006"

_METADATA = sa.MetaData()

sa.Table(
    "device_logins",
    _METADATA,
    sa.Column("hash", sa.Text, primary_key=True),
    sa.Column("user_code", sa.Text, nullable=False, unique=True),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("expires_at", sa.Text, nullable=False),
    sa.Column("details", sa.Text, nullable=False),
)


def upgrade() -> None:
    """Make the table where it is not there yet."""
    _METADATA.create_all(op.get_bind())
