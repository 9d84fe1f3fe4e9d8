class CronError(ValueError):
    """An expression that is no cron expression; the message names the field."""
