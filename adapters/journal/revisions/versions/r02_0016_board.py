"""Add what lists and the board show of a thread: its agent, and what became of its branch.

Revision ID: 02_0016
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0016"
down_revision = "02_0015"


def upgrade() -> None:
    """Add the columns where they are not there yet; what is listed learns them with its next event."""
    there = {each["name"] for each in sa.inspect(op.get_bind()).get_columns("headlines")}
    for name in ("agent", "branch_status"):
        if name not in there:
            op.add_column("headlines", sa.Column(name, sa.Text, nullable=False, server_default=""))
