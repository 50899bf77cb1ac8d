from api import openapi


def test_the_description_in_the_tree_is_that_of_the_code():
    assert openapi.document() == openapi.FILE.read_text(), "run `make openapi`"
