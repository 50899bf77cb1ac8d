import unittest
from pathlib import Path

from shelf import books


class BooksTest(unittest.TestCase):
    def test_a_file_is_read(self):
        found = books.read(Path(__file__).parent.parent / "books.csv")
        self.assertEqual(len(found), 4)
        self.assertEqual(found[2], books.Book("Kindred", "Butler", 264))
