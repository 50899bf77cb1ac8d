"""The check of a decision's code, a local activity: replay needs no key, the key may rotate."""

from temporalio import activity

from domain.core.approvals import is_code
from domain.core.effects import CodeCheck
from domain.core.ports import CodeKey


class DecisionCodes:
    """Checks codes."""

    def __init__(self, key: CodeKey) -> None:
        self._key = key

    @activity.defn
    async def check_code(self, check: CodeCheck) -> bool:
        """Tell whether a decision's code is genuine."""
        subject = (check.workflow_id, check.request_id, check.choice, check.content_hash)
        return is_code(self._key.read(), check.code, subject)
