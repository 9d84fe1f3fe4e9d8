"""Reports every pytest case to the arena's report folder, as JSON lines that do not depend on what is printed.

A pytest call gets a folder of its own, `pytest/1`, `pytest/2` and so on: `records.jsonl`, written by the session, and
`exit.json`, written by its parent: the process forks before any code of the repository is loaded, and the parent only
waits, so that the exit status comes from the kernel whatever the tests do. Without ARENA_REPORTS nothing happens.
With ARENA_ARMED stop-early options are reset; with ARENA_ARMED=step the
parent ends with 0, so that a step goes on to its other test commands.

What is imported before the fork comes from outside the repository: its folders are off the path meanwhile.
It may be imported before pytest starts, and pytest must not warn that it was: PYTEST_DONT_REWRITE.
"""

import os
import sys


def _is_outside(folder):
    repository = os.path.realpath(os.environ.get("GITHUB_WORKSPACE") or os.getcwd())
    return not (os.path.realpath(folder or os.getcwd()) + os.sep).startswith(repository + os.sep)


_path = list(sys.path)
sys.path[:] = [folder for folder in _path if _is_outside(folder)]

import json
import signal
import threading
import warnings

import pytest

sys.path[:] = _path

MESSAGE_CHARACTERS = 4096
FORWARDED_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def _make_folder(reports):
    number = 1
    os.makedirs(os.path.join(reports, "pytest"), exist_ok=True)
    while True:
        folder = os.path.join(reports, "pytest", str(number))
        try:
            os.mkdir(folder)
            return folder
        except FileExistsError:
            number += 1


def _append(path, record):
    with open(path, "a", encoding="ascii") as file:
        file.write(json.dumps(record) + "\n")


def _record_exit(folder, record):
    """Takes the place of whatever the child has put there: this parent writes last."""
    path = os.path.join(folder, "exit.json")
    own = f"{path}.{os.urandom(8).hex()}"
    _append(own, record)
    if os.path.isdir(path) and not os.path.islink(path):
        os.rename(path, f"{own}.found")
    os.replace(own, path)


def _fork():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return os.fork()


def _wait_for(child, folder, armed):
    for number in FORWARDED_SIGNALS:
        signal.signal(number, lambda received, _frame: os.kill(child, received))
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        name = signal.Signals(number).name
        _record_exit(folder, {"code": None, "signal": name})
        if armed == "step":
            os._exit(0)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        os._exit(128 + number)
    code = os.WEXITSTATUS(status)
    _record_exit(folder, {"code": code, "signal": None})
    os._exit(0 if armed == "step" else code)


def _forget_arena():
    """Pytest calls made by the tests themselves are no part of the run."""
    for name in ("ARENA_REPORTS", "ARENA_ARMED"):
        os.environ.pop(name, None)
    own = os.path.dirname(os.path.abspath(__file__))
    for name, separator, dropped in (("PYTHONPATH", os.pathsep, own), ("PYTEST_ADDOPTS", " ", "-parena_pytest")):
        parts = [part for part in os.environ.get(name, "").split(separator) if part not in ("", dropped)]
        if parts:
            os.environ[name] = separator.join(parts)
        else:
            os.environ.pop(name, None)


def _repository_of(folder):
    start = os.path.realpath(folder)
    workspace = os.environ.get("GITHUB_WORKSPACE")
    if workspace and (start + os.sep).startswith(os.path.realpath(workspace) + os.sep):
        return os.path.realpath(workspace)
    at = start
    while not os.path.exists(os.path.join(at, ".git")):
        if os.path.dirname(at) == at:
            return start
        at = os.path.dirname(at)
    return at


class Recorder:
    def __init__(self, folder, armed):
        self.path = os.path.join(folder, "records.jsonl")
        self.armed = armed

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config):
        if self.armed:
            config.option.maxfail = 0
            for name in ("stepwise", "exitfirst"):
                if getattr(config.option, name, None):
                    setattr(config.option, name, False)
        root = str(config.rootpath)
        _append(self.path, {"event": "start", "root": os.path.relpath(os.path.realpath(root), _repository_of(root))})

    def pytest_collectreport(self, report):
        if report.failed:
            _append(self.path, {"event": "collect", "nodeid": report.nodeid, "message": _message_of(report)})

    def pytest_runtest_logreport(self, report):
        if report.outcome == "passed" and report.when != "call":
            return
        record = {
            "event": "phase",
            "nodeid": report.nodeid,
            "when": report.when,
            "outcome": report.outcome,
            "part": "subtest" in type(report).__name__.lower(),
            "durationMs": round(getattr(report, "duration", 0) * 1000, 3),
        }
        if report.outcome != "passed":
            record["message"] = _message_of(report)
        _append(self.path, record)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus):
        _append(self.path, {"event": "finish", "status": int(exitstatus)})


def _message_of(report):
    try:
        text = report.longreprtext
    except Exception as error:  # a hostile representation must not end the report
        text = f"no message: {type(error).__name__}"
    return text[-MESSAGE_CHARACTERS:]


def _start():
    reports = os.environ.get("ARENA_REPORTS")
    # Workers of pytest-xdist pass their results to the session that started them.
    if not reports or "PYTEST_XDIST_WORKER" in os.environ:
        return None
    armed = os.environ.get("ARENA_ARMED")
    folder = _make_folder(reports)
    # With a second thread running a fork could hang: then the exit status stays unknown.
    child = _fork() if threading.active_count() == 1 else 0
    if child:
        _wait_for(child, folder, armed)
    return Recorder(folder, armed)


_recorder = _start()


def pytest_addoption(parser, pluginmanager):
    # The first hook that a plugin named by `-p` gets; from here on the recorder hears all others.
    if _recorder is not None and not pluginmanager.is_registered(_recorder):
        _forget_arena()
        pluginmanager.register(_recorder, "arena-recorder")
