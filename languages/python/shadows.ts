/** Modules of the recorder and of pytest; no product is named so, except those that pytest is made of. */
const RUNNER = /^([^/]+\/)?(arena_pytest[^/]*|pytest|_pytest|pluggy)(\/|\.[^/]+$)/

/** Modules of the standard library and of pytest's own needs that are loaded before the recorder takes over. */
const EARLY = [
  'abc argparse array ast atexit base64 bdb binascii bisect bz2 calendar cmd code codecs codeop collections contextlib copy',
  'copyreg csv dataclasses datetime decimal difflib dis doctest email encodings enum errno exceptiongroup faulthandler fcntl',
  'fnmatch fractions functools genericpath getpass gettext glob grp hashlib heapq importlib inspect io ipaddress itertools json',
  'iniconfig keyword linecache locale logging lzma math ntpath numbers opcode operator os packaging pathlib pdb pickle pkgutil',
  'platform posixpath pprint pwd py pyexpat queue quopri random re reprlib runpy secrets select selectors shlex shutil signal site',
  'socket sre_compile sre_constants sre_parse stat string struct subprocess sysconfig tempfile textwrap threading timeit token',
  'tokenize tomli tomllib traceback types typing unicodedata unittest urllib uuid warnings weakref xml zipfile zipimport zlib',
]
  .join(' ')
  .split(' ')
const FILE = new RegExp(`^_?(${EARLY.join('|')})(/__init__)?(\\.[^/]+)?\\.(py|pyc|so)$`)

/**
 * Whether Python would load this file in place of the test runner's own modules: `python -m pytest` looks into the folder in
 * which it starts first. Only a module at the root counts for the standard library: below, its name is the product's own.
 */
export const shadowsRunner = (path: string): boolean => RUNNER.test(path) || FILE.test(path)
