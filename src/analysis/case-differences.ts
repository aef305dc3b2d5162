import type { CaseDifference } from "../model/case-result.ts";
import type { CaseExpectation, SkillCase } from "../model/case.ts";
import { parseJson } from "../model/read-json.ts";
import type { PfVerdict } from "../sandbox/pf-host.ts";
import { canonicalJson } from "../trace/canonical-json.ts";

type Fired = Extract<PfVerdict, { kind: "fired" }>["intervention"];

const NOTHING = "nothing";
const quoted = (text: string | undefined): string => (text === undefined ? NOTHING : JSON.stringify(text));

/** The argument is a JSON object that has these keys with these values, and perhaps others. */
function holdsIn(wanted: NonNullable<CaseExpectation["newInput"]>, arg: string): boolean {
  const input = parseJson(arg);
  if (typeof input !== "object" || input === null) return false;
  const found = new Map<string, unknown>(Object.entries(input));
  return Object.entries(wanted).every(
    ([key, value]) => found.has(key) && canonicalJson(found.get(key)) === canonicalJson(value),
  );
}

interface NewAction {
  readonly type: string | undefined;
  readonly arg: string | undefined;
}

/** The action that would run; undefined where the intervention leaves it alone. */
function newAction({ proposed }: SkillCase, intervention: Fired): NewAction {
  if (intervention.type !== "MODIFY_ACTION") return { type: undefined, arg: undefined };
  const { newActionType = proposed.type, newActionArg = proposed.arg } = intervention;
  return { type: newActionType, arg: newActionArg };
}

function differencesInIntervention(test: SkillCase, intervention: Fired): readonly CaseDifference[] {
  const { type, newActionType, newActionArg, newInput, contextContains } = test.expect;
  const made = newAction(test, intervention);
  const context = intervention.type === "INJECT_CONTEXT" ? intervention.contextText : undefined;
  const rows: readonly (readonly [keyof CaseExpectation, boolean, string, string])[] = [
    ["type", type === undefined || type === intervention.type, `${type}`, intervention.type],
    [
      "newActionType",
      newActionType === undefined || newActionType === made.type,
      `${newActionType}`,
      made.type ?? NOTHING,
    ],
    [
      "newActionArg",
      newActionArg === undefined || newActionArg === made.arg,
      quoted(newActionArg),
      quoted(made.arg),
    ],
    [
      "newInput",
      newInput === undefined || (made.arg !== undefined && holdsIn(newInput, made.arg)),
      JSON.stringify(newInput),
      made.arg ?? NOTHING,
    ],
    [
      "contextContains",
      contextContains === undefined || context?.includes(contextContains) === true,
      quoted(contextContains),
      quoted(context),
    ],
  ];
  return rows.flatMap(([key, holds, expected, actual]) => (holds ? [] : [{ key, expected, actual }]));
}

/** The fields of `expect` that a decision does not meet; none where the case holds. */
export function differences(test: SkillCase, verdict: PfVerdict): readonly CaseDifference[] {
  const { fires } = test.expect;
  const hasFired = verdict.kind === "fired";
  if (fires && hasFired) return differencesInIntervention(test, verdict.intervention);
  if (!fires && verdict.kind === "skipped") return [];
  return [
    {
      key: "fires",
      expected: String(fires),
      actual: hasFired ? "true" : verdict.kind === "skipped" ? "false" : verdict.kind,
    },
  ];
}
