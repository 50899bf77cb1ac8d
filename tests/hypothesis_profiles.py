"""How hard hypothesis tries: `full` is the default, `--hypothesis-profile=quick` or `nightly` the others.

`quick` and `full` try the same examples each time, so that a change fails by what it changed;
`nightly` digs with new ones, where a failure prints the `@reproduce_failure` line that runs it again.
"""

from hypothesis import HealthCheck, settings

FULL_EXAMPLES = 100
COMMON = {
    "deadline": None,
    "print_blob": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much],
}
settings.register_profile(
    "full", max_examples=FULL_EXAMPLES, stateful_step_count=40, derandomize=True, **COMMON
)
settings.register_profile(
    "quick", max_examples=FULL_EXAMPLES // 10, stateful_step_count=40, derandomize=True, **COMMON
)
settings.register_profile("nightly", max_examples=20_000, stateful_step_count=80, **COMMON)


def effort(examples: int, *, steps: int | None = None) -> settings:
    """Try as many examples in `full`, in the other profiles in proportion, but no more than theirs."""
    profile = settings.default
    share = max(1, examples * profile.max_examples // FULL_EXAMPLES)
    most = max(examples, profile.max_examples)
    more = {} if steps is None else {"stateful_step_count": steps}
    return settings(profile, max_examples=min(share, most), **more)
