"""Bugs that are planted one at a time, to see that the tests find each of them.

`python -m tests.planted` copies the tree, puts in one bug after the other and runs the tests that must
fail then; `-k NAME` takes those with a part of a name.
"""
