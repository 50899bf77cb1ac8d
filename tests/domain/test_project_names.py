"""Which projects a name in people.toml means, above all those that are named by URL."""

import pytest

from domain.people.roles import covers

AT = f"@{'a' * 40}"
SHOP = f"https://git.example/team/shop.git{AT}"


@pytest.mark.parametrize(
    "named",
    [
        "*",
        SHOP,
        "shop",
        "shop.git",
        "https://git.example/team/shop.git",
        "https://git.example/team/shop",
        "https://git.example/team/shop@main",
    ],
)
def test_a_url_is_meant_by_its_last_name_and_at_every_commit(named: str) -> None:
    assert covers(named, SHOP)


@pytest.mark.parametrize(
    ("named", "project"),
    [
        ("shop", "https://git.example/team/other.git@feature/shop"),
        ("shop", "https://git.example/team/other.git@shop"),
        ("shop", "https://git.example/team/workshop.git"),
        ("shop", "ext::sh -c evil /shop"),
        ("https://git.example/team/shop", "https://git.example/other/shop"),
        ("https://git.example/team/shop", "ssh://git@git.example/team/shop"),
        ("https://git.example/team/shop", "/srv/shop"),
        ("/srv/shop", SHOP),
        ("team/shop", SHOP),
    ],
)
def test_nothing_else_is_meant(named: str, project: str) -> None:
    assert not covers(named, project)


def test_a_url_of_ssh_is_the_same_in_both_ways_to_write_it() -> None:
    assert covers("git@git.example:team/shop.git", f"ssh://git@git.example/team/shop{AT}")


def test_folders_are_meant_as_before() -> None:
    assert covers("shop", "/srv/repos/shop")
    assert covers("/srv/repos/shop", "/srv/repos/shop")
    assert not covers("/srv/repos", "/srv/repos/shop")
