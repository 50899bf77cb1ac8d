"""What Temporal's Web UI shows until a person chooses otherwise: our columns in its list, and saved views.

It keeps both in the browser, under its origin; a script in its documents fills in what is not there.
"""

import json

_COLUMNS = (
    *("Status", "Workflow ID", "TreadleStatus", "TreadleWaitingFor", "TreadleTitle"),
    *("Type", "Start", "End"),
)
_PINNED = 2
_VIEWS = {
    # by its beginning: the Web UI's filters cut a value at its first space
    "Needs you": 'TreadleStatus STARTS_WITH "needs"',
    "Open threads": 'TreadleKind="thread" AND ExecutionStatus="Running"',
    "Tasks at work": 'TreadleKind="task" AND ExecutionStatus="Running"',
}
_SCRIPT = """<script>
for (const [name, value] of Object.entries({presets}))
  if (localStorage.getItem(name) === null) localStorage.setItem(name, JSON.stringify(value));
</script>"""


def preset_script(namespace: str) -> bytes:
    """Return the script, for the head of each document."""
    columns = [{"label": name, "pinned": n < _PINNED} for n, name in enumerate(_COLUMNS)]
    views = [
        {"id": f"treadle-{name}", "name": name, "query": query, "type": "user"}
        for name, query in _VIEWS.items()
    ]
    presets = {
        "namespace-workflow-table-columns": {namespace: columns},
        "saved-workflow-queries": {namespace: views},
    }
    return _SCRIPT.replace("{presets}", json.dumps(presets).replace("<", "\\u003c")).encode()
