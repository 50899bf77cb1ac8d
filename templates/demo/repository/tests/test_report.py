import subprocess
import sys
import unittest

from shelf.books import Book


class ReportTest(unittest.TestCase):
    def test_it_has_a_line_for_each_author_and_a_sum(self):
        from shelf import report

        text = report.text([Book("A", "Le Guin", 100), Book("B", "Butler", 50)])
        self.assertEqual(
            text.splitlines(),
            ["Butler: 50 pages", "Le Guin: 100 pages", "Reading all: 3 h 45 min"],
        )

    def test_the_command_prints_it(self):
        said = subprocess.run(
            [sys.executable, "-m", "shelf", "books.csv"], capture_output=True, text=True, check=True
        )
        self.assertIn("Le Guin: 691 pages", said.stdout)
