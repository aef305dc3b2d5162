const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Words for tests in the name of a script: `run_tests.py`, `bin/test`. */
const TEST_WORDS = words(
  "test tests runtest runtests testall alltests unittest unittests testsuite doctest doctests pytest regrtest",
);
/** What such a name may have besides. */
const BESIDE = words(
  "run runner runners exec do all ci unit integration e2e functional smoke quick fast full local suite py python python2 python3 js node ts bin dev my the in docker",
);
const ENDING = /\.(?:sh|bash|zsh|py|[cm]?[jt]s|rb|pl|php|lua|bat|cmd|ps1|r|jl)$/i;
const TEST_FILE =
  /^test_\w+\.py$|_tests?\.py$|^test-[\w.-]+\.[cm]?[jt]s$|[._-](?:test|spec)\.(?:[cm]?[jt]sx?|rb|php|lua)$|\.t$/i;

/** The script is there to run tests, by its name: `runtests.py`, `test.sh`, `run-unit-tests`. */
export function runsTestsByName(name: string): boolean {
  const parts = name.replace(ENDING, "").toLowerCase().split(/[-_.]/);
  return (
    parts.some((part) => TEST_WORDS.has(part)) &&
    parts.every((part) => TEST_WORDS.has(part) || BESIDE.has(part))
  );
}

/** A script that an interpreter is given: one that runs tests, a file of tests, or the one among tests that runs the others. */
export function isTestScript(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  if (runsTestsByName(name) || TEST_FILE.test(name)) return true;
  return /(?:^|\/)(?:tests?|specs?)\/(?:run|runner|main|index|all|__main__)\.\w+$/i.test(path);
}

/** The module of `python -m` is one of tests: `pkg.tests`, `pkg.tests.test_a`. */
export function isTestModule(name: string): boolean {
  const last = name.split(".").at(-1) ?? "";
  return runsTestsByName(last) || TEST_FILE.test(`${last}.py`);
}

/** Characters of a program's text that are looked at. */
const LOOKED_AT = 20_000;
const PYTHON_TESTS =
  /\b(?:pytest\.main|unittest\.main|doctest\.testmod|[A-Za-z_]\w{0,40}\.(?:test|doctest))\(/;
const OTHER_TESTS = /\b(?:Pkg\.test|devtools::test|testthat::test_\w+)\(/;

/** A text for an interpreter runs tests: `python -c "import pytest; pytest.main()"`. */
export function runsTestsInCode(program: string, code: string): boolean {
  return (program.startsWith("py") ? PYTHON_TESTS : OTHER_TESTS).test(code.slice(0, LOOKED_AT));
}
