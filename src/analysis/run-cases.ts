import { foldCase, type CaseDomain } from "../domains/fold-case.ts";
import type { CaseExpectation, SkillCase } from "../model/case.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { canonicalJson } from "../trace/canonical-json.ts";
import { FRESH_STATE, type PfHost, type PfVerdict } from "../sandbox/pf-host.ts";

export interface CaseResult {
  readonly case: SkillCase;
  readonly passed: boolean;
  /** In words: `fires → READ doc_0`. */
  readonly expected: string;
  readonly actual: string;
  /** 1-based line in pf.ts, where an error had one. */
  readonly line?: number;
}

function describeExpectation(expect: CaseExpectation): string {
  if (!expect.fires) return "does not fire";
  const parts = [
    expect.type,
    expect.newActionType,
    expect.newActionArg === undefined ? undefined : JSON.stringify(expect.newActionArg),
    expect.newInput === undefined ? undefined : `with the input ${JSON.stringify(expect.newInput)}`,
    expect.contextContains === undefined ? undefined : `with ${JSON.stringify(expect.contextContains)}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "fires" : `fires → ${parts.join(" ")}`;
}

export function describeVerdict(verdict: PfVerdict): string {
  if (verdict.kind === "skipped") return "does not fire";
  if (verdict.kind === "error") return `error: ${verdict.message}`;
  if (verdict.kind === "limited") return `limited: already fired ${verdict.allowed} of ${verdict.allowed}`;
  if (verdict.kind === "unavailable") return `would change to ${verdict.actionType}, which is not there`;
  const { intervention } = verdict;
  if (intervention.type === "INJECT_CONTEXT")
    return `fires → INJECT_CONTEXT ${JSON.stringify(intervention.contextText)}`;
  if (intervention.type === "NOOP") return "fires → NOOP";
  const arg = intervention.newActionArg === undefined ? "" : ` ${JSON.stringify(intervention.newActionArg)}`;
  return `fires → MODIFY_ACTION ${intervention.newActionType ?? "(same type)"}${arg}`;
}

function holds(test: SkillCase, verdict: PfVerdict): boolean {
  const { expect, proposed } = test;
  if (!expect.fires) return verdict.kind === "skipped";
  if (verdict.kind !== "fired") return false;
  const { intervention } = verdict;
  if (expect.type !== undefined && expect.type !== intervention.type) return false;
  if (intervention.type === "MODIFY_ACTION") {
    const type = intervention.newActionType ?? proposed.type;
    const arg = intervention.newActionArg ?? proposed.arg;
    return (
      (expect.newActionType ?? type) === type &&
      (expect.newActionArg ?? arg) === arg &&
      (expect.newInput === undefined || holdsIn(expect.newInput, arg))
    );
  }
  if ((expect.newActionType ?? expect.newActionArg ?? expect.newInput) !== undefined) return false;
  if (expect.contextContains === undefined) return true;
  return intervention.type === "INJECT_CONTEXT" && intervention.contextText.includes(expect.contextContains);
}

/** The argument is a JSON object that has these keys with these values, and perhaps others. */
function holdsIn(wanted: NonNullable<CaseExpectation["newInput"]>, arg: string): boolean {
  let input: unknown;
  try {
    input = JSON.parse(arg);
  } catch {
    return false;
  }
  if (typeof input !== "object" || input === null) return false;
  const found = new Map<string, unknown>(Object.entries(input));
  return Object.entries(wanted).every(
    ([key, value]) => found.has(key) && canonicalJson(found.get(key)) === canonicalJson(value),
  );
}

async function runCase(
  skillId: string,
  test: SkillCase,
  domain: CaseDomain,
  host: PfHost,
): Promise<CaseResult> {
  const state = { ...FRESH_STATE, memory: test.memory ?? FRESH_STATE.memory };
  const question = { ...foldCase(test, domain), actionTypes: domain.actionTypes };
  const [verdict] = await host.step(new Map([[skillId, state]]), question);
  if (verdict === undefined) throw new Error(`The sandbox gave no verdict for ${skillId}`);
  return {
    case: test,
    passed: holds(test, verdict),
    expected: describeExpectation(test.expect),
    actual: describeVerdict(verdict),
    ...(verdict.kind === "error" && verdict.line !== undefined ? { line: verdict.line } : {}),
  };
}

/**
 * Runs the cases of a skill whose PF is loaded in the host; without a teacher, each from its own memory. A case
 * can do whatever its domain can, and its steps mean what they mean there.
 */
export async function runCases(
  skillId: string,
  cases: readonly SkillCase[],
  domain: CaseDomain,
  host: PfHost,
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const test of cases) results.push(await runCase(skillId, test, domain, host));
  return results;
}

/** A failed case as a diagnostic on its place in cases.yaml; nothing for one that holds. */
export function caseDiagnostic(result: CaseResult, file: string): Diagnostic | undefined {
  if (result.passed) return undefined;
  return {
    code: "HASP310",
    severity: "error",
    message: `${result.case.name}: expected ${result.expected}, but it ${result.actual}`,
    next: "Change the PF if the case is right, or the case if the decision is.",
    file,
    range: result.case.range,
  };
}
