import { foldCase, type CaseDomain } from "../domains/fold-case.ts";
import { parseJson } from "../model/read-json.ts";
import type { CaseOutcome, CaseResult } from "../model/case-result.ts";
import type { CaseExpectation, SkillCase } from "../model/case.ts";
import { notAskedWords } from "../sandbox/not-asked.ts";
import type { PfHost, PfVerdict } from "../sandbox/pf-host.ts";
import type { Compiler } from "../skill/compiler.ts";
import { explain } from "./judge.ts";
import type { ActiveSkill } from "./library.ts";
import { askCase, caseResult, stateOf } from "./run-cases.ts";

const quoted = (text: string): string => JSON.stringify(text);

function lines(entries: readonly (readonly [string, string | undefined])[]): string {
  return entries.flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}`])).join("\n");
}

function expectedSide(expect: CaseExpectation): string {
  const { fires, type, newActionType, newActionArg, newInput, contextContains } = expect;
  return lines([
    ["fires", String(fires)],
    ["type", type],
    ["newActionType", newActionType],
    ["newActionArg", newActionArg === undefined ? undefined : quoted(newActionArg)],
    ["newInput", newInput === undefined ? undefined : JSON.stringify(newInput, undefined, 2)],
    ["contextContains", contextContains === undefined ? undefined : quoted(contextContains)],
  ]);
}

/** What the case names of the new inputs, as they came out; the whole text where it is no JSON object. */
function inputSide(wanted: NonNullable<CaseExpectation["newInput"]>, arg: string): string {
  const read = parseJson(arg);
  if (typeof read !== "object" || read === null) return arg;
  const named = Object.entries(read).filter(([key]) => Object.hasOwn(wanted, key));
  return JSON.stringify(Object.fromEntries(named), undefined, 2);
}

function firedSide(test: SkillCase, { intervention }: Extract<PfVerdict, { kind: "fired" }>): string {
  const { expect, proposed } = test;
  if (intervention.type === "NOOP")
    return lines([
      ["fires", "true"],
      ["type", "NOOP"],
    ]);
  if (intervention.type === "INJECT_CONTEXT") {
    const { contextText } = intervention;
    const isMet = expect.contextContains !== undefined && contextText.includes(expect.contextContains);
    const shown = isMet ? (expect.contextContains ?? "") : contextText;
    return lines([
      ["fires", "true"],
      ["type", "INJECT_CONTEXT"],
      ["contextContains", quoted(shown)],
    ]);
  }
  const type = intervention.newActionType ?? proposed.type;
  const arg = intervention.newActionArg ?? proposed.arg;
  const asInput = expect.newInput;
  return lines([
    ["fires", "true"],
    ["type", "MODIFY_ACTION"],
    // What the case says nothing about is no difference.
    ["newActionType", expect.newActionType === undefined && type === proposed.type ? undefined : type],
    ["newActionArg", asInput === undefined ? quoted(arg) : undefined],
    ["newInput", asInput === undefined ? undefined : inputSide(asInput, arg)],
  ]);
}

function actualSide(test: SkillCase, verdict: PfVerdict, result: CaseResult): string {
  if (verdict.kind === "skipped") return "fires: false";
  if (verdict.kind === "fired") return firedSide(test, verdict);
  return result.actual;
}

/** What a case is judged with. */
export interface CaseBench {
  readonly active: ActiveSkill;
  readonly domain: CaseDomain;
  readonly compiler: Pick<Compiler, "instrument">;
  /** The PF is loaded in it. */
  readonly host: PfHost;
}

async function whyOf(
  test: SkillCase,
  verdict: PfVerdict,
  { active, domain, compiler, host }: CaseBench,
): Promise<CaseOutcome["why"]> {
  if (verdict.kind === "skipped" && verdict.why !== undefined)
    return { sentence: notAskedWords(verdict.why, test.proposed) };
  const question = { ...foldCase(test, domain), actionTypes: domain.actionTypes };
  return explain(active, stateOf(test), question, compiler, host);
}

/** Runs one case, and where it does not hold says which operand decided. */
export async function caseOutcome(test: SkillCase, bench: CaseBench): Promise<CaseOutcome> {
  const { active, domain, host } = bench;
  const verdict = await askCase(active.skill.skillId, test, domain, host);
  const result = caseResult(test, verdict);
  const why = result.passed ? undefined : await whyOf(test, verdict, bench);
  const reason = verdict.kind === "fired" ? verdict.intervention.reason : undefined;
  return {
    result,
    ...(reason !== undefined && reason !== "" && { reason }),
    ...(why !== undefined && { why }),
    sides: { expected: expectedSide(test.expect), actual: actualSide(test, verdict, result) },
  };
}
