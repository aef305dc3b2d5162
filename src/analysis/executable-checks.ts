import { WEB_SEARCH_ACTIONS } from "../domains/web-search/action-space.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isClean, START_OF_FILE } from "../model/diagnostic.ts";
import type { PfProgram } from "../model/skill.ts";
import type { StepContext } from "../model/step-context.ts";
import type { LoadedPf, PfHost, PfQuestion, PfVerdict } from "../sandbox/pf-host.ts";

export type CheckName = "syntax" | "interface" | "mock execution" | "return type";

export interface ExecutableCheck {
  readonly name: CheckName;
  /** `not run`: an earlier check failed, so this one has nothing to look at. */
  readonly outcome: "passed" | "failed" | "not run";
  readonly diagnostics: readonly Diagnostic[];
}

/** The four checks of SPEC §7 D, in order. `score` is checks passed / 4. */
export interface ExecutableReport {
  readonly checks: readonly ExecutableCheck[];
  readonly score: number;
}

const FIRST_STEP: StepContext = {
  question: "Which river flows through the town where the painter of the mural was born?",
  stepCount: 1,
  maxSteps: 15,
  hasRead: false,
  searchCount: 1,
  readCount: 0,
  emptyResults: false,
  contradictorySources: false,
  actionHistory: [{ type: "SEARCH", arg: "painter of the town hall mural" }],
  lastSearchResultsText: "doc_0 The mural was painted in 1931.\ndoc_1 A list of town halls.",
  allReadContents: [],
  thought: "The painter comes first.",
};

const AFTER_TWO_READS: StepContext = {
  ...FIRST_STEP,
  stepCount: 5,
  hasRead: true,
  searchCount: 3,
  readCount: 2,
  actionHistory: [
    { type: "SEARCH", arg: "painter of the town hall mural" },
    { type: "READ", arg: "doc_0" },
    { type: "SEARCH", arg: "birthplace of the painter" },
    { type: "READ", arg: "doc_1" },
    { type: "SEARCH", arg: "river through the birthplace" },
  ],
  allReadContents: [
    "The mural was painted in 1931 by a local artist.",
    "The artist was born in a small town in 1898.",
  ],
  thought: "Now the river.",
};

const LATE_AND_CONTRADICTORY: StepContext = {
  ...AFTER_TWO_READS,
  stepCount: 12,
  searchCount: 9,
  emptyResults: true,
  contradictorySources: true,
  lastSearchResultsText: "",
  thought: "Nothing was found and the sources disagree.",
};

/** 3 contexts × {SEARCH, READ, FINAL}: the nine mock calls of SPEC §7 D. */
function mockQuestions(): readonly PfQuestion[] {
  const args: Record<string, string> = {
    SEARCH: "river through the birthplace",
    READ: "doc_0",
    FINAL: "the Elbe",
  };
  return [FIRST_STEP, AFTER_TWO_READS, LATE_AND_CONTRADICTORY].flatMap((context) =>
    WEB_SEARCH_ACTIONS.map((type) => ({
      context,
      proposed: { type, arg: args[type] ?? "" },
      actionTypes: WEB_SEARCH_ACTIONS,
    })),
  );
}

function finding(program: PfProgram, code: string, message: string, next: string, line?: number): Diagnostic {
  const at = { line: (line ?? 1) - 1, character: 0 };
  const range = line === undefined ? START_OF_FILE : { start: at, end: at };
  return { code, severity: "error", message, next, file: program.file, range };
}

function done(name: CheckName, diagnostics: readonly Diagnostic[]): ExecutableCheck {
  return { name, outcome: isClean(diagnostics) ? "passed" : "failed", diagnostics };
}

type MockVerdict = PfVerdict & { readonly activated: boolean | undefined };

function failures(program: PfProgram, verdicts: readonly MockVerdict[], returned: boolean): Diagnostic[] {
  const questions = mockQuestions();
  const seen = new Set<string>();
  return verdicts.flatMap((verdict, i) => {
    if (verdict.kind !== "error" || (verdict.cause === "returned") !== returned || seen.has(verdict.message))
      return [];
    seen.add(verdict.message);
    const question = questions[i];
    const where = `on a ${question?.proposed.type ?? "?"} proposed at step ${(question?.context.stepCount ?? 0) + 1}`;
    return [
      finding(
        program,
        returned ? "HASP253" : "HASP252",
        `${verdict.message} (${where})`,
        returned
          ? "Return a boolean from shouldActivate, and modifyAction(…), injectContext(…) or noop(…) from intervene."
          : "Handle this context: contexts may be early, late, empty or contradictory, and any action may be proposed.",
        verdict.line,
      ),
    ];
  });
}

/** What a decision was, without state: equal for equal decisions. */
function decision(verdict: MockVerdict): string {
  const intervention = verdict.kind === "fired" ? verdict.intervention : undefined;
  return JSON.stringify([verdict.kind, verdict.activated, intervention]);
}

/** The same nine calls in another order: a difference means the PF keeps state between calls, or is not deterministic. */
async function orderDependence(
  program: PfProgram,
  host: PfHost,
  first: readonly MockVerdict[],
): Promise<Diagnostic[]> {
  const again = (await host.mock(program.skillId, mockQuestions().toReversed())).toReversed();
  const differs = first.some((verdict, i) => {
    const other = again[i];
    return other === undefined || decision(verdict) !== decision(other);
  });
  if (!differs) return [];
  return [
    finding(
      program,
      "HASP254",
      "The same calls in another order gave other decisions: the PF keeps state between calls.",
      "Keep what the PF must remember within an episode in ctx.memory, and nothing in the module or the instance.",
    ),
  ];
}

async function mockChecks(program: PfProgram, host: PfHost): Promise<[ExecutableCheck, ExecutableCheck]> {
  const verdicts = await host.mock(program.skillId, mockQuestions());
  const threw = failures(program, verdicts, false);
  const order = threw.length > 0 ? [] : await orderDependence(program, host, verdicts);
  return [
    done("mock execution", [...threw, ...order]),
    done("return type", failures(program, verdicts, true)),
  ];
}

function interfaceFindings(program: PfProgram, loaded: LoadedPf | undefined): Diagnostic[] {
  if (loaded === undefined || loaded.ok) return [];
  const next =
    "Export one class as default: `export default class … extends ProgramFunction` with shouldActivate and intervene.";
  return [finding(program, "HASP251", loaded.message, next, loaded.line)];
}

const notRun = (name: CheckName): ExecutableCheck => ({ name, outcome: "not run", diagnostics: [] });

/**
 * Runs the four checks on one PF in a host of its own (what the host held is replaced). `syntax` is what compiling found;
 * an undefined `program` means it did not compile.
 */
export async function checkExecutable(
  syntax: readonly Diagnostic[],
  program: PfProgram | undefined,
  host: PfHost,
): Promise<ExecutableReport> {
  const checks: ExecutableCheck[] = [done("syntax", syntax)];
  if (program === undefined || !isClean(syntax)) {
    checks.push(notRun("interface"), notRun("mock execution"), notRun("return type"));
  } else {
    const [loaded] = await host.load([program]);
    const surface = done("interface", interfaceFindings(program, loaded));
    const mocks =
      surface.outcome === "passed"
        ? await mockChecks(program, host)
        : [notRun("mock execution"), notRun("return type")];
    checks.push(surface, ...mocks);
  }
  return { checks, score: checks.filter((check) => check.outcome === "passed").length / checks.length };
}
