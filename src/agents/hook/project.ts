import type { CheckKind, ProjectCheck } from "../../model/coding-context.ts";
import { parseJson } from "../../model/read-json.ts";
import { asRecord } from "../../trace/formats/records.ts";

/** The text of a file at the root of the project; undefined where there is none. */
export type ReadRootFile = (name: string) => Promise<string | undefined>;

const SCRIPTS: readonly (readonly [CheckKind, RegExp])[] = [
  ["test", /^(?:test|tests|test:unit|unit)$/],
  ["lint", /^(?:lint|eslint|check:lint)$/],
  ["types", /^(?:typecheck|type-check|types|tsc|check:types)$/],
  ["build", /^(?:build|compile)$/],
  ["format", /^(?:format|fmt|format:check|prettier)$/],
];

function scriptsOf(packageJson: string | undefined): ProjectCheck[] {
  const names = Object.keys(asRecord(asRecord(parseJson(packageJson ?? ""))["scripts"]));
  return SCRIPTS.flatMap(([kind, form]) => {
    const name = names.find((one) => form.test(one));
    if (name === undefined) return [];
    return [{ kind, command: name === "test" ? "npm test" : `npm run ${name}` }];
  });
}

function pythonChecks(pyproject: string | undefined, pytestIni: string | undefined): ProjectCheck[] {
  const text = pyproject ?? "";
  const checks: ProjectCheck[] = [];
  if (pytestIni !== undefined || text.includes("pytest")) checks.push({ kind: "test", command: "pytest" });
  if (text.includes("[tool.ruff")) checks.push({ kind: "lint", command: "ruff check" });
  if (text.includes("[tool.mypy")) checks.push({ kind: "types", command: "mypy ." });
  return checks;
}

/** How a project checks itself, as its own files at its root say; the first of each kind, and all that run tests: each covers its language. */
export async function projectChecks(read: ReadRootFile): Promise<readonly ProjectCheck[]> {
  const names = ["package.json", "pyproject.toml", "pytest.ini", "Cargo.toml", "go.mod", "Makefile"];
  const [pkg, pyproject, pytestIni, cargo, goMod, makefile] = await Promise.all(names.map(read));
  const found: ProjectCheck[] = [
    ...scriptsOf(pkg),
    ...pythonChecks(pyproject, pytestIni),
    ...(cargo === undefined ? [] : [{ kind: "test" as const, command: "cargo test" }]),
    ...(goMod === undefined ? [] : [{ kind: "test" as const, command: "go test ./..." }]),
    ...(/^test:/m.test(makefile ?? "") ? [{ kind: "test" as const, command: "make test" }] : []),
  ];
  return found.filter(({ kind }, i) => kind === "test" || found.findIndex((one) => one.kind === kind) === i);
}
