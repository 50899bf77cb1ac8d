"""Every kind of event can be read by whoever imports only the readers."""

import importlib
import pkgutil

import domain
from domain.core.event import EventBody
from domain.reading.event_kinds import MODULES


def test_every_module_with_events_is_known():
    for found in pkgutil.walk_packages(domain.__path__, "domain."):
        importlib.import_module(found.name)
    defined = {kind.__module__ for kind in EventBody.KINDS.values()}

    assert {name for name in defined if name.startswith("domain.")} == {
        module.__name__ for module in MODULES
    }
