import { foldCase, type CaseDomain } from "../domains/fold-case.ts";
import { namedFinal } from "../model/action-types.ts";
import { placeOf, type CaseDifference, type CaseResult } from "../model/case-result.ts";
import type { CaseExpectation, SkillCase } from "../model/case.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { renewedExpectation } from "../skill/case-fixes.ts";
import { differences } from "./case-differences.ts";
import {
  FRESH_STATE,
  type PfHost,
  type PfQuestion,
  type PfState,
  type PfVerdict,
} from "../sandbox/pf-host.ts";
import { MAX_MODIFY_FIRES } from "../model/skill.ts";

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

/** What a PF carries when a case begins. */
export function stateOf({ memory }: SkillCase): PfState {
  return { ...FRESH_STATE, memory: memory ?? FRESH_STATE.memory };
}

/** Whether a PF is asked about an action only after it has run. */
export function isForLater(verdict: PfVerdict | undefined): boolean {
  return verdict?.kind === "skipped" && verdict.why === "pass";
}

/** What a PF that is loaded in the host decides in a case. */
export async function askCase(
  skillId: string,
  test: SkillCase,
  domain: CaseDomain,
  host: PfHost,
): Promise<PfVerdict> {
  const { actionTypes } = domain;
  // A case begins with no fire spent, so no limit is met in it.
  const asked = { ...foldCase(test, domain), ...namedFinal(domain) };
  const question: PfQuestion = { ...asked, actionTypes, maxModifyFires: MAX_MODIFY_FIRES };
  const states = new Map([[skillId, stateOf(test)]]);
  const [before] = await host.step(states, question);
  // A PF that looks after such an action sees the case's context as the one that holds its observation.
  const [verdict] = isForLater(before) ? await host.step(states, { ...question, pass: "post" }) : [before];
  if (verdict === undefined) throw new Error(`The sandbox gave no verdict for ${skillId}`);
  return verdict;
}

/** Whether a decision is the one that the case asks for. */
export function caseResult(test: SkillCase, verdict: PfVerdict): CaseResult {
  const now = expectationOf(verdict);
  const differing = differences(test, verdict);
  return {
    case: test,
    passed: differing.length === 0,
    differences: differing,
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

/** The decision as a whole where it is of another kind, else the field. */
function sentence({ case: { name }, expected, actual }: CaseResult, difference: CaseDifference): string {
  if (difference.key === "fires") return `${name}: expected ${expected}, but it ${actual}`;
  return `${name}: expected \`${difference.key}\` ${difference.expected}, but it is ${difference.actual}`;
}

/**
 * A failed case as a diagnostic on each field of cases.yaml that differs; none for one that holds. With the `text` of cases.yaml, it
 * can be fixed: the case expects what the PF does now.
 */
export function caseDiagnostics(result: CaseResult, file: string, text?: string): readonly Diagnostic[] {
  if (result.passed) return [];
  const { now } = result;
  const fixes = text === undefined || now === undefined ? [] : renewedExpectation(text, result.case, now);
  return result.differences.map((difference) => ({
    code: "HASP310",
    severity: "error",
    message: sentence(result, difference),
    next: "Change the PF if the case is right, or the case if the decision is.",
    file,
    range: placeOf(result, difference),
    ...(fixes.length > 0 && { fixes }),
  }));
}
