"""When an expression fires."""

from datetime import timedelta
from itertools import islice

# Every date that exists comes again within eight years: 29 February skips a century's leap day.
HORIZON = timedelta(days=8 * 366)


def next_after(cron, moment):
    """The first time after the moment, or None when there is none within eight years."""
    return next(_walk(cron, moment, 1), None)


def previous_before(cron, moment):
    """The last time before the moment, or None when there is none within eight years."""
    return next(_walk(cron, moment, -1), None)


def upcoming(cron, moment, count):
    """The next `count` times after the moment; fewer when they end."""
    return list(islice(_walk(cron, moment, 1), count))


def _walk(cron, moment, direction):
    times = [(hour, minute) for hour in sorted(cron.hours) for minute in sorted(cron.minutes)]
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    limit = day + direction * HORIZON
    while (day <= limit) if direction > 0 else (day >= limit):
        if cron.matches_date(day):
            for hour, minute in times[::direction]:
                found = day.replace(hour=hour, minute=minute)
                if (found > moment) if direction > 0 else (found < moment):
                    yield found
        day += direction * timedelta(days=1)
