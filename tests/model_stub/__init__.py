"""A test double for language models: scripted answers over the real wire protocols."""

from tests.model_stub.app import ModelStub, load, serving
from tests.model_stub.script import Script
from tests.model_stub.shapes import ScriptError

__all__ = ["ModelStub", "Script", "ScriptError", "load", "serving"]
