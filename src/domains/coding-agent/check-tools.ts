import type { CheckKind, ShellCall } from "../../model/coding-context.ts";

type Called = Pick<ShellCall, "name" | "args">;

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** Programs that do one thing, whatever they are told. */
const TOOLS: ReadonlyMap<string, CheckKind> = new Map(
  (
    [
      [
        "test",
        "vitest jest mocha ava tap jasmine karma pytest py.test tox nox nosetests nose2 unittest rspec phpunit pest ctest bats gotestsum testem",
      ],
      [
        "lint",
        "eslint oxlint flake8 pylint golangci-lint staticcheck shellcheck stylelint rubocop standard xo ktlint detekt hadolint markdownlint yamllint checkstyle swiftlint tflint knip pre-commit clippy-driver",
      ],
      ["types", "tsc vue-tsc tsgo mypy dmypy pyright basedpyright pyre svelte-check phpstan psalm ty"],
      ["build", "webpack rollup esbuild tsup ninja py_compile compileall msbuild"],
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
    stack: { test: "test", build: "build" },
    cabal: { test: "test", build: "build" },
    lein: { test: "test" },
    terraform: { validate: "lint", fmt: "format" },
    "manage.py": { test: "test", check: "lint" },
    "django-admin": { test: "test" },
    ng: { test: "test", lint: "lint", build: "build" },
    hatch: { test: "test", fmt: "format" },
    unittest: { discover: "test" },
  } satisfies Record<string, Record<string, CheckKind>>),
);

/** Programs that run targets or scripts which people name. */
const RUNS_TARGETS = new Set(
  words("make gmake just rake task invoke inv nx turbo lerna mvn mvnw gradle gradlew sbt ant composer"),
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
  const whole = name.toLowerCase().replace(/^:+/, "");
  for (const part of [whole, ...whole.split(/[:_.-]/)]) {
    const kind = SCRIPT_WORDS.find(([, pattern]) => pattern.test(part))?.[0];
    if (kind !== undefined) return kind;
    if (part === "check" || part === "verify") return other;
  }
  return undefined;
}

/** Switches with which a tool only talks about itself. */
const IDLE = new Set(
  words(
    "--help -h --version -V --listTests --list-tests --collect-only --co --init --print-config --showConfig --show-config --dry-run",
  ),
);

/** Words before the program that only find it: `npx vitest`, `uv run pytest`, `python -m mypy`. */
function withoutRunner({ name, args }: Called): Called | undefined {
  const [first = "", second] = args;
  const rest = (skip: number): Called | undefined => {
    const own = args.slice(skip).findIndex((arg) => !arg.startsWith("-"));
    const at = own === -1 ? args.length : skip + own;
    const program = args[at];
    return program === undefined ? undefined : { name: baseName(program), args: args.slice(at + 1) };
  };
  if (name === "npx" || name === "bunx" || name === "pnpx" || name === "uvx") return rest(0);
  if (RUNS_SCRIPTS.has(name) && /^(?:exec|x|dlx)$/.test(first)) return rest(1);
  if (/^(?:uv|poetry|pipenv|pdm|hatch|rye|pixi)$/.test(name) && first === "run") return rest(1);
  if (name === "bundle" && first === "exec") return rest(1);
  if (/^(?:python|py|pypy)[\d.]*$/.test(name))
    return first === "-m"
      ? second === undefined
        ? undefined
        : { name: second, args: args.slice(2) }
      : rest(0);
  if (/^(?:node|deno|php|ruby|bash|sh)$/.test(name) && /(?:^|\/)(?:bin|node_modules)\//.test(first))
    return rest(0);
  return undefined;
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

function firstWord(args: readonly string[]): string | undefined {
  return args.find((arg) => !arg.startsWith("-"));
}

function ofScripts({ name, args }: Called): CheckKind | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  if (first === undefined) return undefined;
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
  if (targets.length === 0) return /^g?make$/.test(name) ? "build" : undefined;
  const kinds = targets.map((target) => kindOfScript(target, "test"));
  // `mvn clean verify`: the tests among several targets tell most.
  return kinds.includes("test") ? "test" : kinds.find((kind) => kind !== undefined);
}

/** What a program checks, by its name and words; undefined for one that checks nothing. */
export function kindOfCall({ name, args }: Called, depth = 0): CheckKind | undefined {
  if (args.some((arg) => IDLE.has(arg))) return undefined;
  const inner = depth > 4 ? undefined : withoutRunner({ name, args });
  if (inner !== undefined) return kindOfCall(inner, depth + 1);
  if (name === "node") return args.includes("--test") ? "test" : undefined;
  if (RUNS_SCRIPTS.has(name)) return ofScripts({ name, args });
  if (RUNS_TARGETS.has(name)) return ofTargets({ name, args });
  if (name === "cmake") return args.includes("--build") ? "build" : undefined;
  if (name === "xcodebuild") return args.includes("test") ? "test" : "build";
  const tool = TOOLS.get(name);
  if (tool !== undefined) return tool;
  const word = firstWord(args);
  if (name === "ruff" && (word === undefined || word.includes("."))) return "lint";
  return word === undefined ? undefined : COMMANDS.get(name)?.[word];
}
