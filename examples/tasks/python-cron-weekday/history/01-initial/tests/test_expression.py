from datetime import datetime

import pytest

from cronlite import Cron, CronError


def test_a_time_matches_by_all_its_fields():
    cron = Cron.parse("30 2 * 6 *")
    assert cron.matches(datetime(2026, 6, 1, 2, 30))
    assert not cron.matches(datetime(2026, 6, 1, 2, 31))
    assert not cron.matches(datetime(2026, 7, 1, 2, 30))


def test_weekdays_count_from_sunday():
    sunday = datetime(2026, 1, 4)
    assert Cron.parse("0 0 * * 0").matches(sunday)
    assert Cron.parse("0 0 * * sun").matches(sunday)
    assert not Cron.parse("0 0 * * 1").matches(sunday)


def test_two_restricted_day_fields_are_alternatives():
    cron = Cron.parse("0 0 13 * fri")
    assert cron.matches(datetime(2026, 1, 13))
    assert cron.matches(datetime(2026, 1, 16))
    assert not cron.matches(datetime(2026, 1, 14))


def test_aliases():
    assert Cron.parse("@daily") == Cron.parse("0 0 * * *")
    assert Cron.parse("@Weekly") == Cron.parse("0 0 * * 0")


@pytest.mark.parametrize("text", ["", "* * * *", "* * * * * *", "@sometimes"])
def test_an_expression_has_five_fields(text):
    with pytest.raises(CronError, match="expected 5 fields"):
        Cron.parse(text)
