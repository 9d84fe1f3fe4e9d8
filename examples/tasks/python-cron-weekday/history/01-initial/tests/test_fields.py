import pytest

from cronlite import CronError
from cronlite.fields import DAY, HOUR, MINUTE, MONTH, WEEKDAY


def test_star_is_every_value():
    assert HOUR.parse("*") == frozenset(range(24))
    assert WEEKDAY.parse("*") == frozenset(range(7))


@pytest.mark.parametrize(
    "text, values",
    [("5", {5}), ("5-8", {5, 6, 7, 8}), ("1,3,5", {1, 3, 5}), ("10-20/5", {10, 15, 20}), ("50/4", {50, 54, 58})],
)
def test_minutes(text, values):
    assert MINUTE.parse(text) == values


def test_star_with_step_starts_at_the_lowest_value():
    assert DAY.parse("*/10") == {1, 11, 21, 31}
    assert WEEKDAY.parse("*/3") == {0, 3, 6}


def test_names_in_any_case():
    assert MONTH.parse("Jan,DEC") == {1, 12}
    assert WEEKDAY.parse("mon-fri") == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("text", ["60", "-1", "x", "", "1,,2", "5-", "1-2-3"])
def test_text_that_is_no_field(text):
    with pytest.raises(CronError):
        MINUTE.parse(text)


def test_day_zero_does_not_exist():
    with pytest.raises(CronError, match="day: 0 is not between 1 and 31"):
        DAY.parse("0")


def test_a_step_is_at_least_one():
    with pytest.raises(CronError, match="no usable step"):
        HOUR.parse("*/0")


def test_a_range_does_not_run_backwards():
    with pytest.raises(CronError, match="backwards"):
        HOUR.parse("20-4")
