"""The five fields of an expression: text in, set of numbers out."""

from dataclasses import dataclass

from cronlite.errors import CronError

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")


@dataclass(frozen=True)
class Field:
    """What a field may hold. The first of `names` stands for `low`."""

    label: str
    low: int
    high: int
    names: tuple = ()

    def parse(self, text):
        """Returns the frozenset of numbers that the text stands for."""
        values = set()
        for part in text.lower().split(","):
            values.update(self._parse_part(part))
        return frozenset(values)

    def is_restricted(self, text):
        """Whether the text leaves out any value, as `*` does not."""
        return not text.startswith("*")

    def _parse_part(self, part):
        span, slash, step_text = part.partition("/")
        step = self._step(step_text, part) if slash else 1
        if span == "*":
            return range(self.low, self.high + 1, step)
        first_text, dash, last_text = span.partition("-")
        first = self._value(first_text, part)
        if dash:
            last = self._value(last_text, part)
        else:
            last = self.high if slash else first
        if first > last:
            raise CronError(f"{self.label}: {part!r} runs backwards")
        return range(first, last + 1, step)

    def _step(self, text, part):
        if not text.isdecimal() or int(text) == 0:
            raise CronError(f"{self.label}: {part!r} has no usable step")
        return int(text)

    def _value(self, text, part):
        if text in self.names:
            return self.names.index(text) + self.low
        if not text.isdecimal():
            raise CronError(f"{self.label}: cannot read {part!r}")
        value = int(text)
        if not self.low <= value <= self.high:
            raise CronError(f"{self.label}: {value} is not between {self.low} and {self.high}")
        return value


MINUTE = Field("minute", 0, 59)
HOUR = Field("hour", 0, 23)
DAY = Field("day", 1, 31)
MONTH = Field("month", 1, 12, MONTHS)
WEEKDAY = Field("weekday", 0, 6, WEEKDAYS)

FIELDS = (MINUTE, HOUR, DAY, MONTH, WEEKDAY)
