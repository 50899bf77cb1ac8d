"""Names of files that go into a history are few and short together, however many were changed."""

from domain.core.workspaces import MAX_LISTED, MAX_LISTED_BYTES, listed


def test_few_names_are_listed_all():
    assert listed(["a.py", "b/ü.py"]) == ("a.py", "b/ü.py")


def test_of_many_or_long_names_the_first_are_listed():
    assert len(listed(f"{n}.py" for n in range(2 * MAX_LISTED))) == MAX_LISTED
    long = listed("ü" * 500 for _ in range(MAX_LISTED))
    assert len("".join(long).encode()) <= MAX_LISTED_BYTES < len("".join((*long, long[0])).encode())
