import { describe, expect, it } from "vitest";
import { checksIn, checksOf } from "../../../../src/domains/coding-agent/checks.ts";
import { parseShell } from "../../../../src/domains/coding-agent/shell.ts";

const kinds = (source: string): string[] => checksIn(parseShell(source, "bash")).map(({ kind }) => kind);

describe("commands that check the work", () => {
  it.each([
    ["npm test", ["test"]],
    ["npm run test:unit -- --watch=false", ["test"]],
    ["pnpm typecheck && pnpm lint", ["types", "lint"]],
    ["yarn build", ["build"]],
    ["bun test", ["test"]],
    ["npx vitest run src/a.test.ts", ["test"]],
    ["./node_modules/.bin/eslint .", ["lint"]],
    ["node node_modules/.bin/jest", ["test"]],
    ["python -m pytest -q tests", ["test"]],
    ["uv run pytest", ["test"]],
    ["poetry run mypy .", ["types"]],
    ["python manage.py test", ["test"]],
    ["cd /repo && CI=1 timeout 300 go test ./... 2>&1 | tail", ["test"]],
    ["cargo clippy -- -D warnings; cargo fmt --check", ["lint", "format"]],
    ["mvn -q clean verify", ["test"]],
    ["./gradlew test", ["test"]],
    ["make check", ["test"]],
    ["make", ["build"]],
    ["tsc --noEmit -p .", ["types"]],
    ["ruff check . && ruff format --check .", ["lint", "format"]],
    ["dotnet test", ["test"]],
    ["node --test", ["test"]],
    ["bash -c 'npm test'", ["test"]],
    ["python test.py", ["test"]],
    ["./test.sh", ["test"]],
    ["sh run_tests.sh --fast", ["test"]],
    ["bash ci/run-unit-tests.sh", ["test"]],
    ["bin/test core/tests/test_clock.py", ["test"]],
    ["scripts/test", ["test"]],
    ["./scripts/ci/test-all.sh 2>&1 | tail -5", ["test"]],
    ["tests/runtests.py admin --parallel 1", ["test"]],
    ["cd tests && python3 runtests.py clocks", ["test"]],
    ["python3 -W error tests/runtests.py clocks", ["test"]],
    ["python -bb -m pytest -q", ["test"]],
    ["python -m django test clocks", ["test"]],
    ["./manage.py test clocks", ["test"]],
    ["python setup.py test", ["test"]],
    ["python -m clock.tests.test_hands", ["test"]],
    ["python -m unittest discover -s tests", ["test"]],
    ["python test_hands.py", ["test"]],
    ["node test/run.js", ["test"]],
    ["node src/hands.test.mjs", ["test"]],
    ["ruby -Itest test/hands_test.rb", ["test"]],
    ["php artisan test", ["test"]],
    ["prove -l t", ["test"]],
    ["perl -Ilib t/hands.t", ["test"]],
    ['python -c "import clock; clock.test()"', ["test"]],
    ["python -c 'import pytest; pytest.main([\"-q\"])'", ["test"]],
    ["coverage run -m pytest tests", ["test"]],
    ["coverage run --source clock manage.py test", ["test"]],
    ["uv run --with hypothesis pytest -q", ["test"]],
    ["conda run -n dev pytest", ["test"]],
    ["hatch run test", ["test"]],
    ["xvfb-run -a npm test", ["test"]],
    ["docker compose exec -T web pytest -q", ["test"]],
    ["docker run --rm clock npm test", ["test"]],
    ["tox -e py312", ["test"]],
    ["tox -e lint", ["lint"]],
    ["make -C build check", ["test"]],
    ["make test-unit", ["test"]],
    ["./gradlew :app:testDebugUnitTest", ["test"]],
    ["./gradlew integrationTest", ["test"]],
    ["mvn -q surefire:test", ["test"]],
    ["sbt 'testOnly clock.HandsSpec'", ["test"]],
    ["ninja -C build test", ["test"]],
    ["ctest -V", ["test"]],
    ["cargo +nightly test", ["test"]],
    ["npm --prefix web test", ["test"]],
    ["yarn workspace web test", ["test"]],
    ["./x.py test", ["test"]],
    ["./mach test dom", ["test"]],
  ])("%s", (source, expected) => {
    expect(kinds(source)).toEqual(expected);
  });

  it.each([
    "npm install",
    "echo npm test",
    "git commit -m 'npm test'",
    "cat jest.config.js",
    "npm run dev",
    "vitest --version",
    "pytest --collect-only",
    "grep -rn pytest .",
    "ls test",
    "pnpm add eslint",
    "npm run start",
    "test -f a",
    "go run .",
    "cd test",
    "test -f bin/test",
    "python reproduce.py",
    "python make_test_data.py",
    "node src/latest.js",
    "./setup_test_env.sh",
    "bin/test --help",
    "python -c \"print('test()')\"",
    "tox -e docs",
    "cat tests/runtests.py",
    "pytest --fixtures",
    "docker run --name test clock",
    "bash -c 'echo test.sh'",
  ])("are not: %s", (source) => {
    expect(kinds(source)).toEqual([]);
  });

  it("are those that the project names, by equal text", () => {
    const project = [{ kind: "test" as const, command: "./scripts/all.sh --fast" }];
    expect(
      checksIn(parseShell("cd x && ./scripts/all.sh --fast", "bash"), project).map(({ kind }) => kind),
    ).toEqual(["test"]);
    expect(checksIn(parseShell("./scripts/all.sh", "bash"), project)).toEqual([]);
  });
});

describe("whether a check passed", () => {
  const passed = (
    source: string,
    observation: string,
    exitCode?: number,
    ok?: boolean,
  ): (boolean | undefined)[] => {
    const result = { ...(exitCode === undefined ? {} : { exitCode }), ...(ok === undefined ? {} : { ok }) };
    const executed = { type: "Bash", arg: JSON.stringify({ command: source }) };
    const step = { executed, observation, result };
    return checksOf(parseShell(source, "bash"), { project: [], t: 3, step }).map((check) => check.passed);
  };

  it("is the status of the line where nothing hides it", () => {
    expect(passed("npm test", "", 0)).toEqual([true]);
    expect(passed("cd a && npm test", "", 1)).toEqual([false]);
    expect(passed("npm test", "", undefined, false)).toEqual([false]);
    expect(passed("npm test && git push", "", 0)).toEqual([true]);
    expect(passed("(cd a && npm test)", "", 0)).toEqual([true]);
    expect(passed("set -o pipefail; npm test | tail", "", 0)).toEqual([true]);
  });

  it("is unknown where a pipe, a list or the background hides it, unless the output tells", () => {
    for (const line of [
      "npm test | tail -5",
      "npm test || true",
      "npm test; echo done",
      "npm test &",
      "! npm test",
      "npm test && a || b",
    ])
      expect([line, passed(line, "", 0)]).toEqual([line, [undefined]]);
    expect(passed("npm test && git push", "", 1)).toEqual([undefined]);
    expect(passed("npx jest | tail", "Tests:       1 failed, 3 passed, 4 total", 0)).toEqual([false]);
    expect(
      passed("npx vitest run | tail", " Test Files  2 passed (2)\n      Tests  7 passed (7)", 0),
    ).toEqual([true]);
  });

  it.each([
    ["pytest | tail", "===== 2 failed, 5 passed in 0.12s =====", false],
    ["pytest | tail", "===== 5 passed, 1 warning in 0.12s =====", true],
    ["pytest -q | tail", "5 passed in 0.12s", true],
    ["go test ./... | cat", "--- FAIL: TestX (0.00s)\nFAIL\texample.com/x\t0.1s", false],
    ["go test ./... | cat", "ok  \texample.com/x\t0.1s", true],
    ["cargo test | tail", "test result: FAILED. 1 passed; 1 failed;", false],
    ["cargo test | tail", "test result: ok. 2 passed; 0 failed;", true],
    ["npx mocha | tail", "  3 passing (10ms)\n  1 failing", false],
    ["node --test | tail", "# pass 3\n# fail 0", true],
    ["tsc | head", "src/a.ts(1,2): error TS2304: Cannot find name 'x'.", false],
    ["eslint . | tail", "✖ 2 problems (2 errors, 0 warnings)", false],
    ["mypy . | tail", "Success: no issues found in 3 source files", true],
    ["pytest | tail", "this test passed the review and failed nobody", undefined],
    ["npm test | tail", "\u001B[32m Tests  4 passed\u001B[39m (4)", true],
  ])("%s: %s", (source, observation, expected) => {
    expect(passed(source, observation)).toEqual([expected]);
  });
});
