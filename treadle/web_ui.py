"""What `treadle doctor` says of Temporal's Web UI."""

from api.temporal_ui.place import find_web_ui
from settings import Settings
from treadle.engine import own_temporal
from treadle.finding import Finding


def web_ui_findings(settings: Settings) -> list[Finding]:
    """Tell where Temporal's Web UI is, and what is open to others in it."""
    web_ui = find_web_ui(settings)
    name = "Temporal Web UI"
    if not own_temporal():
        found = (
            web_ui.address(settings.api_port)
            if web_ui
            else "set its address: TREADLE_TEMPORAL_UI_URL"
        )
        return [Finding(name=name, is_well=True, found=found)]
    if web_ui is None:
        return [Finding(name=name, is_well=True, found="off")]
    return [
        Finding(
            name=name,
            is_well=False,
            is_required=False,
            found=f"{web_ui.address(settings.api_port)} (`treadle open --temporal`)",
            fix="at its own port any local user can see titles and stop workflows, but read and "
            "approve nothing; turn it off with TREADLE_IS_TEMPORAL_UI_ON=false",
        )
    ]
