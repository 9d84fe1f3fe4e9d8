"""Runs pytest as `python -m pytest` does, with the recorder loaded before anything of the working directory can be.

The interpreter puts this script's folder first on the path, where `-m` puts the working directory; the two change places
once the recorder has forked.
"""

import os
import runpy
import sys

import arena_pytest  # noqa: F401

if not getattr(sys.flags, "safe_path", False):
    sys.path[0] = os.getcwd()
runpy.run_module("pytest", run_name="__main__", alter_sys=True)
