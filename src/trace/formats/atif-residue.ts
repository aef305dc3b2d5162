import type { Step } from "../../model/episode.ts";
import { canonicalJson } from "../canonical-json.ts";
import { argsOfAction } from "./call-action.ts";
import { asList, asRecord, asText, isRecord, type JsonRecord, recordsOf, without } from "./records.ts";

/**
 * What the steps of an episode do not hold of the ATIF step that they came from. `packStep` and `unpackSteps` are each
 * other's inverse for every ATIF step, so that an export gives back what was imported.
 */
export interface AtifResidue {
  /** The step's place in the document, from 0. */
  readonly at: number;
  /** Fields of the step that the episode has no place for. */
  readonly rest?: JsonRecord;
  /** Characters of the thought that were `reasoning_content`; the message follows after a blank line. */
  readonly reasoningChars?: number;
  /** Fields of each call but its name and arguments. */
  readonly calls?: readonly JsonRecord[];
  /** Each result; where `observationOf` names a step (from 0), its content is that step's observation. */
  readonly results?: readonly { readonly observationOf?: number; readonly rest: JsonRecord }[];
  /** The step as it was, where the fields above do not give it back. */
  readonly whole?: JsonRecord;
}

const STEP_MAPPED = ["step_id", "source", "message", "reasoning_content", "tool_calls", "observation"];

/** The residue of an agent's step whose episode steps are `made`. */
export function packStep(step: JsonRecord, at: number, made: readonly Step[]): AtifResidue {
  const reasoning = asText(step["reasoning_content"]);
  const rest = without(step, STEP_MAPPED);
  const residue: AtifResidue = {
    at,
    ...(Object.keys(rest).length === 0 ? {} : { rest }),
    ...(reasoning === undefined ? {} : { reasoningChars: reasoning.length }),
    ...(Array.isArray(step["tool_calls"])
      ? { calls: recordsOf(step["tool_calls"]).map((call) => without(call, ["function_name", "arguments"])) }
      : {}),
    ...(isRecord(step["observation"])
      ? { results: recordsOf(step["observation"]["results"]).map((result) => packResult(result, step, made)) }
      : {}),
  };
  return canonicalJson(unpackStep(residue, made)) === canonicalJson(step) ? residue : { at, whole: step };
}

function packResult(
  result: JsonRecord,
  step: JsonRecord,
  made: readonly Step[],
): { observationOf?: number; rest: JsonRecord } {
  const ids = recordsOf(step["tool_calls"]).map((call) => call["tool_call_id"]);
  const named = ids.indexOf(result["source_call_id"]);
  const place = named === -1 ? 0 : named;
  const same = typeof result["content"] === "string" && made[place]?.observation === result["content"];
  return same ? { observationOf: place, rest: without(result, ["content"]) } : { rest: result };
}

/** The ATIF step of a residue and its episode steps. */
export function unpackStep(residue: AtifResidue, made: readonly Step[]): JsonRecord {
  if (residue.whole !== undefined) return residue.whole;
  const [first] = made;
  const thought = first?.proposals[0]?.thought ?? "";
  const split = residue.reasoningChars;
  const called = residue.calls !== undefined && residue.calls.length > 0;
  const reasoning = split === undefined ? undefined : thought.slice(0, split);
  const message = !called
    ? (first?.executed.arg ?? "")
    : split === undefined
      ? thought
      : thought.slice(split + 2);
  return {
    step_id: residue.at + 1,
    source: "agent",
    ...residue.rest,
    message,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(residue.calls === undefined
      ? {}
      : { tool_calls: residue.calls.map((rest, i) => callOf(rest, made[i])) }),
    ...(residue.results === undefined
      ? {}
      : { observation: { results: residue.results.map(resultOf(made)) } }),
  };
}

function callOf(rest: JsonRecord, step: Step | undefined): JsonRecord {
  if (step === undefined) return rest;
  return { ...rest, function_name: step.executed.type, arguments: argsOfAction(step.executed) };
}

function resultOf(made: readonly Step[]) {
  return ({ observationOf, rest }: { observationOf?: number; rest: JsonRecord }): JsonRecord =>
    observationOf === undefined ? rest : { ...rest, content: made[observationOf]?.observation ?? "" };
}

/** The residue that an importer left at a step. */
export function residueOf(step: Step): AtifResidue | undefined {
  const residue = asRecord(step.extra)["atif"];
  return isRecord(residue) && typeof residue["at"] === "number"
    ? (residue as unknown as AtifResidue)
    : undefined;
}

/** How many episode steps an ATIF step of the agent makes: one a call, and one where it has none. */
export function stepsMade(step: JsonRecord): number {
  return Math.max(1, asList(step["tool_calls"]).filter(isRecord).length);
}
