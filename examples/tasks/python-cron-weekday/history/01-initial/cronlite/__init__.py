"""Reads cron expressions and finds the times at which they fire."""

from cronlite.errors import CronError
from cronlite.expression import Cron
from cronlite.schedule import next_after, previous_before, upcoming

__all__ = ["Cron", "CronError", "next_after", "previous_before", "upcoming"]
