import { foldCase, type CaseDomain } from "../domains/fold-case.ts";
import { parseJson } from "../model/read-json.ts";
import type { CaseExpectation, SkillCase } from "../model/case.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { renewedExpectation } from "../skill/case-fixes.ts";
import { canonicalJson } from "../trace/canonical-json.ts";
import { FRESH_STATE, type PfHost, type PfState, type PfVerdict } from "../sandbox/pf-host.ts";

export interface CaseResult {
  readonly case: SkillCase;
  readonly passed: boolean;
  /** In words: `fires → READ doc_0`. */
  readonly expected: string;
  readonly actual: string;
  /** What a case would have to say to hold; absent where the PF came to no decision. */
  readonly now?: CaseExpectation;
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

function expectationOf(verdict: PfVerdict): CaseExpectation | undefined {
  if (verdict.kind === "skipped") return { fires: false };
  if (verdict.kind !== "fired") return undefined;
  const { intervention } = verdict;
  const { type } = intervention;
  if (type === "NOOP") return { fires: true, type };
  if (type === "INJECT_CONTEXT") return { fires: true, type, contextContains: intervention.contextText };
  const { newActionType, newActionArg } = intervention;
  return {
    fires: true,
    type,
    ...(newActionType !== undefined && { newActionType }),
    ...(newActionArg !== undefined && { newActionArg }),
  };
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
  const input = parseJson(arg);
  if (typeof input !== "object" || input === null) return false;
  const found = new Map<string, unknown>(Object.entries(input));
  return Object.entries(wanted).every(
    ([key, value]) => found.has(key) && canonicalJson(found.get(key)) === canonicalJson(value),
  );
}

/** What a PF carries when a case begins. */
export function stateOf({ memory }: SkillCase): PfState {
  return { ...FRESH_STATE, memory: memory ?? FRESH_STATE.memory };
}

/** What a PF that is loaded in the host decides in a case. */
export async function askCase(
  skillId: string,
  test: SkillCase,
  domain: CaseDomain,
  host: PfHost,
): Promise<PfVerdict> {
  const question = { ...foldCase(test, domain), actionTypes: domain.actionTypes };
  const [verdict] = await host.step(new Map([[skillId, stateOf(test)]]), question);
  if (verdict === undefined) throw new Error(`The sandbox gave no verdict for ${skillId}`);
  return verdict;
}

/** Whether a decision is the one that the case asks for. */
export function caseResult(test: SkillCase, verdict: PfVerdict): CaseResult {
  const now = expectationOf(verdict);
  return {
    case: test,
    passed: holds(test, verdict),
    expected: describeExpectation(test.expect),
    actual: describeVerdict(verdict),
    ...(now !== undefined && { now }),
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
  for (const test of cases) results.push(caseResult(test, await askCase(skillId, test, domain, host)));
  return results;
}

/**
 * A failed case as a diagnostic on its place in cases.yaml; nothing for one that holds. With the `text` of cases.yaml, it
 * can be mended: the case expects what the PF does now.
 */
export function caseDiagnostic(result: CaseResult, file: string, text?: string): Diagnostic | undefined {
  if (result.passed) return undefined;
  const { now } = result;
  const fixes = text === undefined || now === undefined ? [] : renewedExpectation(text, result.case, now);
  return {
    code: "HASP310",
    severity: "error",
    message: `${result.case.name}: expected ${result.expected}, but it ${result.actual}`,
    next: "Change the PF if the case is right, or the case if the decision is.",
    file,
    range: result.case.range,
    ...(fixes.length > 0 && { fixes }),
  };
}
