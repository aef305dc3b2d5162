import type { Diagnostic } from "../model/diagnostic.ts";
import type { Domain } from "../domains/domain.ts";
import { isClean, START_OF_FILE } from "../model/diagnostic.ts";
import type { PfProgram } from "../model/skill.ts";
import type { LoadedPf, PfHost, PfVerdict } from "../sandbox/pf-host.ts";
import { domainOfFolder } from "./library.ts";

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

function finding(program: PfProgram, code: string, message: string, next: string, line?: number): Diagnostic {
  const at = { line: (line ?? 1) - 1, character: 0 };
  const range = line === undefined ? START_OF_FILE : { start: at, end: at };
  return { code, severity: "error", message, next, file: program.file, range };
}

function done(name: CheckName, diagnostics: readonly Diagnostic[]): ExecutableCheck {
  return { name, outcome: isClean(diagnostics) ? "passed" : "failed", diagnostics };
}

type MockCalls = ReturnType<Domain["mockCalls"]>;

const folderOf = ({ file }: PfProgram): string => file.replace(/[/\\][^/\\]*$/, "");

type MockVerdict = PfVerdict & { readonly activated: boolean | undefined };

/** A PF with the calls of its domain. */
interface Mocked {
  readonly program: PfProgram;
  readonly questions: MockCalls;
}

function failures(
  { program, questions }: Mocked,
  verdicts: readonly MockVerdict[],
  returned: boolean,
): Diagnostic[] {
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
  { program, questions }: Mocked,
  host: PfHost,
  first: readonly MockVerdict[],
): Promise<Diagnostic[]> {
  const again = (await host.mock(program.skillId, questions.toReversed())).toReversed();
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

async function mockChecks(mocked: Mocked, host: PfHost): Promise<[ExecutableCheck, ExecutableCheck]> {
  const verdicts = await host.mock(mocked.program.skillId, mocked.questions);
  const threw = failures(mocked, verdicts, false);
  const order = threw.length > 0 ? [] : await orderDependence(mocked, host, verdicts);
  return [
    done("mock execution", [...threw, ...order]),
    done("return type", failures(mocked, verdicts, true)),
  ];
}

function interfaceFindings(program: PfProgram, loaded: LoadedPf | undefined): Diagnostic[] {
  if (loaded === undefined || loaded.ok) return [];
  const next =
    loaded.metLimit === true
      ? "Do less as the module is loaded: constants and functions, and no loop whose end depends on data."
      : "Export one class as default: `export default class … extends ProgramFunction` with shouldActivate and intervene.";
  return [finding(program, "HASP251", loaded.message, next, loaded.line)];
}

const notRun = (name: CheckName): ExecutableCheck => ({ name, outcome: "not run", diagnostics: [] });

/**
 * Runs the four checks on one PF in a host of its own (what the host held is replaced). `syntax` is what compiling found;
 * an undefined `program` means it did not compile. The mock calls are those of `domain`, without it of the domain whose folder the PF is in.
 */
export async function checkExecutable(
  syntax: readonly Diagnostic[],
  program: PfProgram | undefined,
  host: PfHost,
  domain?: Domain,
): Promise<ExecutableReport> {
  const checks: ExecutableCheck[] = [done("syntax", syntax)];
  if (program === undefined || !isClean(syntax)) {
    checks.push(notRun("interface"), notRun("mock execution"), notRun("return type"));
  } else {
    const questions = (domain ?? domainOfFolder(folderOf(program))).mockCalls();
    const [loaded] = await host.load([program]);
    const surface = done("interface", interfaceFindings(program, loaded));
    const mocks =
      surface.outcome === "passed"
        ? await mockChecks({ program, questions }, host)
        : [notRun("mock execution"), notRun("return type")];
    checks.push(surface, ...mocks);
  }
  return { checks, score: checks.filter((check) => check.outcome === "passed").length / checks.length };
}
