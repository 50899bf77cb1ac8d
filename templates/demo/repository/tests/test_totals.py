import unittest

from shelf.books import Book


class TotalsTest(unittest.TestCase):
    def test_pages_are_added_up_by_author(self):
        from shelf import totals

        books = [Book("A", "Le Guin", 100), Book("B", "Butler", 50), Book("C", "Le Guin", 20)]
        self.assertEqual(totals.pages_by_author(books), {"Butler": 50, "Le Guin": 120})

    def test_authors_come_in_order(self):
        from shelf import totals

        books = [Book("A", "Zelazny", 1), Book("B", "Asimov", 1)]
        self.assertEqual(list(totals.pages_by_author(books)), ["Asimov", "Zelazny"])
