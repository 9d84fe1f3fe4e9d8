from datetime import datetime

from cronlite import Cron, next_after, previous_before, upcoming


def test_next_is_strictly_later():
    cron = Cron.parse("0 12 * * *")
    assert next_after(cron, datetime(2026, 3, 1, 11, 59)) == datetime(2026, 3, 1, 12)
    assert next_after(cron, datetime(2026, 3, 1, 12)) == datetime(2026, 3, 2, 12)


def test_previous_is_strictly_earlier():
    cron = Cron.parse("0 12 * * *")
    assert previous_before(cron, datetime(2026, 3, 1, 12)) == datetime(2026, 2, 28, 12)
    assert previous_before(cron, datetime(2026, 3, 1, 12, 0, 1)) == datetime(2026, 3, 1, 12)


def test_next_working_day():
    cron = Cron.parse("30 2 * * mon-fri")
    assert next_after(cron, datetime(2026, 1, 3)) == datetime(2026, 1, 5, 2, 30)


def test_leap_day():
    assert next_after(Cron.parse("0 0 29 2 *"), datetime(2026, 1, 1)) == datetime(2028, 2, 29)


def test_a_date_that_does_not_exist():
    assert next_after(Cron.parse("0 0 31 2 *"), datetime(2026, 1, 1)) is None


def test_upcoming():
    times = upcoming(Cron.parse("0 6,18 1 * *"), datetime(2026, 1, 1, 6), 3)
    assert times == [datetime(2026, 1, 1, 18), datetime(2026, 2, 1, 6), datetime(2026, 2, 1, 18)]
