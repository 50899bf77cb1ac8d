import unittest


class PaceTest(unittest.TestCase):
    def test_an_hour_is_forty_pages(self):
        from shelf import pace

        self.assertEqual(pace.reading_time(80), "2 h 00 min")

    def test_a_started_minute_counts(self):
        from shelf import pace

        self.assertEqual(pace.reading_time(41), "1 h 02 min")

    def test_nothing_takes_no_time(self):
        from shelf import pace

        self.assertEqual(pace.reading_time(0), "0 h 00 min")
