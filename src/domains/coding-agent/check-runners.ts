import type { ShellCall } from "../../model/coding-context.ts";

/** A program as a check is told by: its name, its words, and more where it is a script or a text of an interpreter. */
export type Called = Pick<ShellCall, "name"> & {
  readonly args: readonly string[];
  /** The program with its folder, where that is known. */
  readonly path?: string | undefined;
  /** The interpreter that runs it. */
  readonly by?: string;
  /** `name` is a module of `python -m`. */
  readonly isModule?: boolean;
  /** A text of the interpreter's command line in place of a script. */
  readonly code?: string;
};

const set = (text: string): ReadonlySet<string> => new Set(text.split(" ").filter(Boolean));

/** Programs that only find another, behind which of their words it stands, and which of their switches take a word. */
const RUNNERS: ReadonlyMap<string, readonly [first: RegExp | undefined, valued: ReadonlySet<string>]> =
  new Map(
    (
      [
        ["npx bunx pnpx", undefined, "-p --package"],
        ["uvx pipx", undefined, "--with --from --python -p --spec"],
        ["xvfb-run", undefined, "-s -n -f -e -w -p --server-args --server-num"],
        ["npm pnpm yarn bun", /^(?:exec|x|dlx)$/, "-w --workspace --filter -F -C --prefix"],
        [
          "uv poetry pipenv pdm hatch rye pixi",
          /^run$/,
          "--with --with-requirements --python -p --extra --group --package --directory --project --env-file -e -C",
        ],
        ["conda mamba micromamba", /^run$/, "-n --name -p --prefix --cwd"],
        ["bundle", /^exec$/, ""],
        ["coverage", /^run$/, "--rcfile --source --omit --include --data-file --context"],
      ] as const
    ).flatMap(([names, first, valued]) =>
      [...set(names)].map((name) => [name, [first, set(valued)] as const] as const),
    ),
  );

/** Interpreters by the switches that take a word and those behind which a text of code stands. */
const INTERPRETERS: readonly (readonly [
  RegExp,
  { readonly valued: ReadonlySet<string>; readonly code: RegExp },
])[] = [
  [/^(?:python|py|pypy)[\d.]*$/, { valued: set("-W -X"), code: /^-\w*c$/ }],
  [
    /^(?:node|tsx|ts-node)$/,
    { valued: set("-r --require --import --loader -C --conditions"), code: /^(?:-e|--eval|-p|--print|-pe)$/ },
  ],
  [/^(?:bash|sh|zsh|dash|ksh)$/, { valued: set("-o +o -O +O"), code: /^-\w*c\w*$/ }],
  [/^(?:ruby|perl)$/, { valued: set("-I -r"), code: /^-\w*[eE]$/ }],
  [/^php$/, { valued: set("-d -c"), code: /^-r$/ }],
  [/^(?:julia|Rscript|R|lua)$/, { valued: set(""), code: /^-e$/ }],
];

export function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** Where the first word stands that is neither a switch nor the value of one. */
function firstOperand(args: readonly string[], valued: ReadonlySet<string>): number {
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--") return i + 1;
    if (valued.has(arg)) i++;
    else if (!arg.startsWith("-")) break;
  }
  return i;
}

function programAt(args: readonly string[], at: number): Called | undefined {
  const path = args[at];
  return path === undefined ? undefined : { name: baseName(path), path, args: args.slice(at + 1) };
}

/** What an interpreter runs: a module, a text of code, or a script. */
function ofInterpreter({ name, args }: Called): Called | undefined {
  const known = INTERPRETERS.find(([pattern]) => pattern.test(name))?.[1];
  if (known === undefined) return undefined;
  const at = firstOperand(args, known.valued);
  const switches = args.slice(0, at);
  const isPython = name.startsWith("py");
  const module = isPython ? switches.findIndex((arg) => arg === "-m") : -1;
  if (module !== -1) {
    const found = programAt(args, module + 1);
    return found === undefined ? undefined : { ...found, by: name, isModule: true };
  }
  if (switches.some((arg) => known.code.test(arg)))
    return { name: "", args: [], by: name, code: args[at] ?? "" };
  const script = programAt(args, at);
  return script === undefined ? undefined : { ...script, by: name };
}

/** The program behind words that only find it: `npx vitest`, `uv run pytest`, `python -m mypy`, `bash ci/test.sh`. */
export function withoutRunner(called: Called): Called | undefined {
  const { name, args } = called;
  const [first, valued] = RUNNERS.get(name) ?? [];
  if (valued !== undefined) {
    if (first === undefined) return programAt(args, firstOperand(args, valued));
    const at = firstOperand(args, valued);
    if (!first.test(args[at] ?? "")) return undefined;
    const rest = args.slice(at + 1);
    // `coverage run -m pytest` reads its words as Python does.
    if (name === "coverage") return ofInterpreter({ name: "python", args: withoutValues(rest, valued) });
    return programAt(rest, firstOperand(rest, valued));
  }
  return ofInterpreter(called);
}

/** The words without the switches that take one, and without those words. */
export function withoutValues(args: readonly string[], valued: ReadonlySet<string>): readonly string[] {
  return args.filter((arg, i) => !valued.has(arg) && !valued.has(args[i - 1] ?? ""));
}

const CONTAINERS = set("docker podman nerdctl docker-compose");
/** Words of a container's command line that are looked at. */
const MOST_WORDS = 20;

/** What a command may run in a container: it begins at one of these words, and nobody knows which. */
export function inContainer({ name, args }: Called): readonly Called[] {
  if (!CONTAINERS.has(name)) return [];
  const at = args.findIndex((arg) => arg === "exec" || arg === "run");
  if (at === -1) return [];
  return args.slice(at + 1, at + 1 + MOST_WORDS).flatMap((arg, i) => {
    if (arg.startsWith("-")) return [];
    return programAt(args, at + 1 + i) ?? [];
  });
}
