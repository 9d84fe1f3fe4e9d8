import { baseName } from './paths.ts'

/** Files that steer a test runner or a toolchain and hold no product code, whatever the language of the repository. */
const NAMES = [
  'conftest.py',
  'pytest.ini',
  '.pytest.ini',
  'pytest.toml',
  '.pytest.toml',
  'pytest.py',
  'sitecustomize.py',
  'usercustomize.py',
  'CTestCustom.cmake',
  'CTestCustom.ctest',
  'CTestConfig.cmake',
  'rust-toolchain',
  'rust-toolchain.toml',
  '.nextest.toml',
]
const PATTERNS = [
  /\.pth$/,
  /(^|\/)\.cargo\/config(\.toml)?$/,
  /(^|\/)\.config\/nextest\.toml$/,
  /(^|\/)_pytest\//,
]

export const isRunnerControl = (path: string): boolean =>
  NAMES.includes(baseName(path)) || PATTERNS.some((pattern) => pattern.test(path))

export const isWorkflow = (path: string): boolean => path.startsWith('.github/')
