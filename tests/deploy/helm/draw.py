"""Renders a chart as `helm install` does: `draw.py CHART < values`; run in the environment of requirements.lock."""

import importlib
import json
import sys
from typing import Any

import yaml

VERSIONS = ("1.33", "1.37")
"""The oldest Kubernetes that the chart names, and the newest whose schemas are there."""


def drawn(chart: str, values: dict[str, Any]) -> dict[str, Any]:
    """Return the objects, what Helm's lint says, and the refusal where the values are refused."""
    helm: Any = importlib.import_module("helm_python")
    schemas: Any = importlib.import_module("kubernetes_validate")
    try:
        rendered = helm.Chart.load(chart).render(values, name="treadle", namespace="team")
    except helm.HelmError as error:
        return {"refusal": str(error)}
    files = [text for name, text in rendered.items() if name.endswith(".yaml")]
    found = [thing for text in files for thing in yaml.safe_load_all(text) if thing]
    for thing in found:
        for version in VERSIONS:
            schemas.validate(thing, version, strict=True)
    return {"objects": found, "lint": helm.lint(chart, values, strict=True)}


if __name__ == "__main__":
    json.dump(drawn(sys.argv[1], json.load(sys.stdin)), sys.stdout)
