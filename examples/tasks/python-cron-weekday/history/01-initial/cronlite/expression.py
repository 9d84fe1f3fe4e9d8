"""A whole expression."""

from dataclasses import dataclass

from cronlite.errors import CronError
from cronlite.fields import DAY, FIELDS, WEEKDAY

ALIASES = {
    "@yearly": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@hourly": "0 * * * *",
}


@dataclass(frozen=True)
class Cron:
    """The numbers of each field; weekdays count from 0 for Sunday."""

    minutes: frozenset
    hours: frozenset
    days: frozenset
    months: frozenset
    weekdays: frozenset
    # Whether the field is more than `*`: two restricted day fields are alternatives.
    by_day: bool
    by_weekday: bool

    @classmethod
    def parse(cls, text):
        """Raises CronError when the text is no expression."""
        parts = ALIASES.get(text.strip().lower(), text).split()
        if len(parts) != len(FIELDS):
            raise CronError(f"expected {len(FIELDS)} fields, found {len(parts)}")
        values = [field.parse(part) for field, part in zip(FIELDS, parts)]
        return cls(*values, DAY.is_restricted(parts[2]), WEEKDAY.is_restricted(parts[4]))

    def matches(self, moment):
        """Whether it fires in the minute of this datetime."""
        return (
            moment.minute in self.minutes
            and moment.hour in self.hours
            and self.matches_date(moment)
        )

    def matches_date(self, date):
        """Whether it fires on this day at all."""
        if date.month not in self.months:
            return False
        on_day = date.day in self.days
        on_weekday = date.isoweekday() % 7 in self.weekdays
        if self.by_day and self.by_weekday:
            return on_day or on_weekday
        return on_day and on_weekday
