"""The examples of docs/how-to/plans.md are what they say."""

import re
from pathlib import Path

import yaml

from domain.plans.proposals.proposal import read_plan
from domain.plans.templates.template import PlanTemplate
from domain.threads.amending.amendment import Amendment

PAGE = (Path(__file__).parents[2] / "docs/how-to/plans.md").read_text()
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)


def test_the_examples_are_an_amendment_and_a_plan() -> None:
    amendment, plan = map(yaml.safe_load, EXAMPLES)
    assert read_plan(plan, PlanTemplate(name="plain")).warnings == ()
    assert Amendment.model_validate(amendment).counts
