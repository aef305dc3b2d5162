import type { CheckKind } from "../../model/coding-context.ts";
import { inContainer, withoutRunner, withoutValues, type Called } from "./check-runners.ts";
import { isTestModule, isTestScript, runsTestsByName, runsTestsInCode } from "./test-scripts.ts";

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** Programs that do one thing, whatever they are told. */
const TOOLS: ReadonlyMap<string, CheckKind> = new Map(
  (
    [
      [
        "test",
        "vitest jest mocha ava tap jasmine karma pytest pytest-3 pytest3 py.test tox nox nosetests nose2 unittest trial stestr rspec phpunit pest ctest bats shellspec gotestsum ginkgo testem prove busted",
      ],
      [
        "lint",
        "eslint oxlint flake8 pylint golangci-lint staticcheck shellcheck stylelint rubocop standard xo ktlint detekt hadolint markdownlint yamllint checkstyle swiftlint tflint knip pre-commit clippy-driver",
      ],
      ["types", "tsc vue-tsc tsgo mypy dmypy pyright basedpyright pyre svelte-check phpstan psalm ty"],
      ["build", "webpack rollup esbuild tsup py_compile compileall msbuild"],
      [
        "format",
        "prettier black gofmt goimports rustfmt isort clang-format shfmt oxfmt dprint autopep8 yapf stylua",
      ],
    ] as const
  ).flatMap(([kind, names]) => words(names).map((name) => [name, kind] as const)),
);

/** Programs whose first word says what they do: `cargo test`. */
const COMMANDS: ReadonlyMap<string, Readonly<Record<string, CheckKind>>> = new Map(
  Object.entries({
    go: { test: "test", vet: "lint", build: "build", fmt: "format" },
    cargo: {
      test: "test",
      nextest: "test",
      t: "test",
      clippy: "lint",
      check: "types",
      c: "types",
      build: "build",
      b: "build",
      fmt: "format",
    },
    dotnet: { test: "test", build: "build", format: "format" },
    swift: { test: "test", build: "build" },
    mix: { test: "test", compile: "build", format: "format", credo: "lint", dialyzer: "types" },
    dart: { test: "test", analyze: "lint", format: "format" },
    flutter: { test: "test", analyze: "lint", build: "build" },
    deno: { test: "test", lint: "lint", check: "types", fmt: "format" },
    bun: { test: "test", build: "build" },
    ruff: { check: "lint", format: "format" },
    biome: { check: "lint", lint: "lint", ci: "lint", format: "format" },
    playwright: { test: "test" },
    cypress: { run: "test" },
    rails: { test: "test" },
    bazel: { test: "test", build: "build" },
    zig: { test: "test", build: "build", fmt: "format" },
    vite: { build: "build" },
    next: { build: "build", lint: "lint" },
    nuxt: { build: "build", typecheck: "types" },
    astro: { check: "types", build: "build" },
    flow: { check: "types" },
    srb: { tc: "types" },
    meson: { test: "test", compile: "build" },
    cabal: { test: "test", build: "build" },
    lein: { test: "test" },
    terraform: { validate: "lint", fmt: "format" },
    "manage.py": { test: "test", check: "lint" },
    "django-admin": { test: "test" },
    ng: { test: "test", lint: "lint", build: "build" },
    hatch: { test: "test", fmt: "format" },
    unittest: { discover: "test" },
    django: { test: "test", check: "lint" },
    artisan: { test: "test" },
    "setup.py": { test: "test", build: "build" },
    pants: { test: "test", lint: "lint", check: "types" },
    stack: { test: "test", build: "build" },
  } satisfies Record<string, Record<string, CheckKind>>),
);

/** Programs that run targets or scripts which people name. */
const RUNS_TARGETS = new Set(
  words(
    "make gmake just rake task invoke inv nx turbo lerna mvn mvnw gradle gradlew sbt ant composer ninja mage mise moon",
  ),
);
const RUNS_SCRIPTS = new Set(words("npm pnpm yarn bun"));

const SCRIPT_WORDS: readonly (readonly [CheckKind, RegExp])[] = [
  ["types", /^(?:type-?checks?|check-?types?|types?|tsc|mypy|pyright)$/],
  ["test", /^(?:tests?|tst|t|specs?|unit|e2e|vitest|jest|pytest|integration|coverage)$/],
  ["lint", /^(?:lint|linters?|eslint|oxlint|ruff|clippy|vet)$/],
  ["build", /^(?:build|compile|bundle|assemble|package|install|all)$/],
  ["format", /^(?:fmt|formats?|formatting|prettier)$/],
];

/** What a script or a target is for, by its name: `test:unit`, `check-types`, `lint`; `check` is what `other` says. */
export function kindOfScript(name: string, other: CheckKind = "types"): CheckKind | undefined {
  const plain = name.replace(/^[:+]+/, "");
  // `testDebugUnitTest` and `integrationTest` are targets of Gradle.
  const parts = plain.split(/[\s:_.-]|(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase());
  for (const part of [plain.toLowerCase(), ...parts]) {
    const kind = SCRIPT_WORDS.find(([, pattern]) => pattern.test(part))?.[0];
    if (kind !== undefined) return kind;
    if (part === "check" || part === "verify") return other;
  }
  return undefined;
}

/** Switches with which a tool only talks about itself. */
const IDLE = new Set(
  words(
    "--help -h --version -V --listTests --list-tests --list --collect-only --co --fixtures --markers --init --print-config --showConfig --show-config --dry-run",
  ),
);

function firstWord(args: readonly string[]): string | undefined {
  return args.find((arg) => !arg.startsWith("-"));
}

/** Switches of package managers that take a word. */
const OF_SCRIPTS = new Set(words("--prefix -C --dir --cwd --filter -F -w --workspace"));

function ofScripts({ name, args }: Called): CheckKind | undefined {
  const [first, second, third] = withoutValues(args, OF_SCRIPTS).filter((arg) => !arg.startsWith("-"));
  if (first === undefined) return undefined;
  if (first === "workspace" && third !== undefined) return kindOfScript(third);
  if (/^(?:run|run-script|rum|workspace|workspaces)$/.test(first))
    return second === undefined ? undefined : kindOfScript(second);
  const own = COMMANDS.get(name)?.[first];
  if (own !== undefined) return own;
  if (name === "npm") return /^(?:test|t|tst)$/.test(first) ? "test" : undefined;
  // `pnpm install` is no script; with these two, any other word is one.
  return /^(?:install|i|add|remove|init|publish|up|why|all|package|t)$/.test(first)
    ? undefined
    : kindOfScript(first);
}

function ofTargets({ name, args }: Called): CheckKind | undefined {
  const targets = args.filter((arg) => !arg.startsWith("-") && !arg.includes("=") && arg !== "run");
  if (targets.length === 0) return /^(?:g?make|ninja)$/.test(name) ? "build" : undefined;
  const kinds = targets.map((target) => kindOfScript(target, "test"));
  // `mvn clean verify`: the tests among several targets tell most.
  return kinds.includes("test") ? "test" : kinds.find((kind) => kind !== undefined);
}

/** What the environments of tox and nox are for, by their names: `lint`, `docs`, `py312-django5`. */
function ofEnvironments({ args }: Called): CheckKind | undefined {
  const at = args.findIndex((arg) => /^(?:-e|--env|-s|--session|--sessions)$/.test(arg));
  const names = at === -1 ? [] : (args[at + 1] ?? "").split(",");
  const kinds = names.map((name) =>
    /^(?:docs?|linkcheck)\b/.test(name) ? undefined : (kindOfScript(name) ?? "test"),
  );
  return kinds.length === 0 || kinds.includes("test") ? "test" : kinds[0];
}

/** A script of the project by its own name, or by its first word: `bin/test`, `./x.py test`. */
function ofProjectScript({ name, args, path = name, by, isModule }: Called): CheckKind | undefined {
  if (isModule === true) return isTestModule(name) ? "test" : undefined;
  const isScript = by !== undefined || (path.includes("/") && !/^\/(?:usr|bin|sbin|opt)\//.test(path));
  // `test` alone is the shell's own.
  const isNamed =
    by === undefined ? runsTestsByName(name) && (isScript || !/^tests?$/.test(name)) : isTestScript(path);
  if (isNamed) return "test";
  return isScript && /^(?:tests?|unittests?)$/.test(firstWord(args) ?? "") ? "test" : undefined;
}

/** What a program checks, by its name and words; undefined for one that checks nothing. */
export function kindOfCall(called: Called, depth = 0): CheckKind | undefined {
  const { name, args, code, by = "" } = called;
  if (args.some((arg) => IDLE.has(arg)) && name !== "ctest") return undefined;
  if (code !== undefined) return runsTestsInCode(by, code) ? "test" : undefined;
  if (name === "node" && args.includes("--test")) return "test";
  const inner = depth > 4 ? undefined : withoutRunner(called);
  if (inner !== undefined) return kindOfCall(inner, depth + 1) ?? ofRunner(called, inner);
  if (RUNS_SCRIPTS.has(name)) return ofScripts(called);
  if (RUNS_TARGETS.has(name)) return ofTargets(called);
  if (name === "tox" || name === "nox") return ofEnvironments(called);
  if (name === "cmake") return ofCmake(args);
  if (name === "xcodebuild") return args.includes("test") ? "test" : "build";
  const tool = TOOLS.get(name);
  if (tool !== undefined) return tool;
  const words = args.filter((arg) => !/^[-+]/.test(arg));
  const [word] = words;
  if (name === "ruff" && (word === undefined || word.includes("."))) return "lint";
  const own = word === undefined ? undefined : COMMANDS.get(name)?.[word];
  return own ?? ofProjectScript(called) ?? ofContainer(called, depth);
}

/** `hatch run test` and `pdm run lint` name a script. */
function ofRunner({ name }: Called, inner: Called): CheckKind | undefined {
  return /^(?:poetry|pipenv|pdm|hatch|rye|pixi)$/.test(name) ? kindOfScript(inner.name) : undefined;
}

function ofCmake(args: readonly string[]): CheckKind | undefined {
  if (!args.includes("--build")) return undefined;
  return args.some((arg) => /^(?:test|check)$/.test(arg)) ? "test" : "build";
}

function ofContainer(called: Called, depth: number): CheckKind | undefined {
  if (depth > 1) return undefined;
  for (const inner of inContainer(called)) {
    const kind = kindOfCall(inner, depth + 3);
    if (kind !== undefined) return kind;
  }
  return undefined;
}
