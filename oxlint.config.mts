import { defineConfig } from "oxlint";

/**
 * The rooms of src/, top to bottom: a room may use what stands above it, nothing below (ARCHITECTURE.md).
 * cli/ and extension/ are the two composition roots; they do not know each other.
 */
const ROOMS = [
  "model",
  "protocol",
  "skill",
  "sandbox",
  "llm",
  "trace",
  "scoring",
  "domains",
  "harness",
  "analysis",
  "evaluation",
  "review",
  "dataset",
  "app",
  "evolve",
  "jobs",
  "training",
  "agents",
  "platform",
  "cli",
  "extension",
] as const;

type Room = (typeof ROOMS)[number];
type Pattern = { regex: string; message: string; allowTypeImports?: boolean };

const ROOTS: readonly Room[] = ["cli", "extension"];
const TOUCH_NODE: readonly Room[] = ["platform", "cli", "extension"];

/** Rooms that the composition roots reach through the use cases of app/ alone, types included. */
const BEHIND_APP: readonly Room[] = ["harness", "analysis", "evaluation", "sandbox"];

/** How an import of another room looks from inside a room, at any depth. */
const roomPath = (room: string): string => `^(\\.\\./)+${room}/`;

function below(room: Room): readonly Room[] {
  const lower = ROOMS.slice(ROOMS.indexOf(room) + 1);
  return room === "extension" ? ["cli"] : lower;
}

function patternsFor(room: Room): Pattern[] {
  const patterns: Pattern[] = below(room).map((other) => ({
    regex: roomPath(other),
    message: `${room}/ stands above ${other}/ and must not use it. Declare what ${room}/ needs as an interface in ${room}/ and let ${ROOTS.includes(other) ? "the composition root" : other + "/ or a composition root"} pass it in.`,
  }));
  if (ROOTS.includes(room)) {
    patterns.push(
      ...BEHIND_APP.map((other) => ({
        regex: roomPath(other),
        message: `${room}/ gives orders to app/ and uses no ${other}/, not even its types. Call a use case of app/, or compose one there; app/ also has the types of its orders and results.`,
      })),
    );
  }
  if (!TOUCH_NODE.includes(room)) {
    patterns.push({
      regex: "^node:",
      message: `Only platform/, cli/ and extension/ touch Node. Declare a port (an interface) in ${room}/ and implement it in platform/.`,
    });
  }
  if (room !== "extension") {
    patterns.push({
      regex: "^vscode$",
      message:
        "Only extension/ may import vscode, not even its types. Put the plain data in model/ and convert in extension/.",
    });
  }
  if (room !== "skill") {
    patterns.push({
      regex: "^(typescript|ts-blank-space)$",
      message: "Only skill/ uses the compiler. Use its Checker, transpile() or instrument().",
    });
  }
  return patterns;
}

/** Files of cli/ that are about the process itself; main.ts hands its streams and signals to the others. */
const OF_THE_PROCESS = [
  "main.ts",
  "until-signal.ts",
  "mcp-main.ts",
  "hook-main.ts",
  "hook-prepare.ts",
  "hook-session.ts",
  "commands/job-runner.ts",
].map((file) => `src/cli/${file}`);

const NO_PROCESS =
  "A command runs in any process: its streams and signals are in the CliContext, folder and variables in platform/surroundings.ts.";

const restrict = (patterns: Pattern[]) => ({ "no-restricted-imports": ["error", { patterns }] }) as const;

const webviewPatterns: Pattern[] = [
  ...ROOMS.filter((room) => room !== "model" && room !== "protocol").map((room) => ({
    regex: `^(\\.\\./)+src/${room}/`,
    message: "webview/ uses only src/model and src/protocol. Ask the host through the protocol instead.",
  })),
  {
    regex: "^(node:|vscode$|typescript$)",
    message: "webview/ runs in a browser. Ask the host through the protocol.",
  },
];

export default defineConfig({
  plugins: ["typescript", "import", "unicorn", "promise"],
  categories: { correctness: "error", suspicious: "error" },
  options: { typeAware: true },
  rules: {
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "off",
    eqeqeq: "error",
    "no-console": "off",
    // A file of 400 lines is a room too many (STYLE.md).
    "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
    // Assertions on data that was just validated are how zod-typed code narrows.
    "typescript/no-unsafe-type-assertion": "off",
    // Its autofix hides which of two shadowing names is meant; TypeScript already reports the mistakes.
    "no-shadow": "off",
    "unicorn/no-array-sort": "off",
    "unicorn/no-array-reverse": "off",
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    // TypeScript checks returns; this one also wants `return undefined` written out in callbacks.
    "consistent-return": "off",
    "typescript/consistent-return": "off",
    // Steps, episodes and PFs run in order on purpose: each needs the state the one before left.
    "no-await-in-loop": "off",
    "unicorn/consistent-function-scoping": "off",
    "import/no-unassigned-import": "off",
    // `import ts from "typescript"` is how its CommonJS build is meant to be used from an ES module.
    "import/no-named-as-default-member": "off",
    "import/default": "off",
    "promise/always-return": "off",
  },
  ignorePatterns: [
    "dist/**",
    "dist-test/**",
    "node_modules/**",
    ".vscode-test/**",
    "test/fixtures/**",
    // Declarations for other people's editors, written as TypeScript's own libraries are.
    "src/skill/lib/**",
    "skills/**",
    "samples/**",
  ],
  overrides: [
    // A function is read at a glance (STYLE.md); tests are long lists of short cases.
    {
      files: ["src/**/*.ts", "webview/**/*.ts"],
      rules: { "max-lines-per-function": ["error", { max: 80 }] },
    },
    ...ROOMS.map((room) => ({ files: [`src/${room}/**/*.ts`], rules: restrict(patternsFor(room)) })),
    {
      files: ["src/cli/**/*.ts"],
      excludeFiles: OF_THE_PROCESS,
      rules: {
        ...restrict([...patternsFor("cli"), { regex: "^(node:)?process$", message: NO_PROCESS }]),
        "no-restricted-globals": ["error", { name: "process", message: NO_PROCESS }],
      },
    },
    { files: ["webview/**/*.ts"], rules: restrict(webviewPatterns) },
  ],
});
