import type { StepContext } from "../model/step-context.ts";
import { describe, type Fields } from "./fields.ts";
import type { Report } from "./report.ts";
import { fieldsOf } from "./fields.ts";
import type { YamlValue } from "./yaml-tree.ts";

/** Steps of an episode where a case does not say. */
const DEFAULT_MAX_STEPS = 15;

/** Keys of a case's context: the fields of StepContext. */
export const CONTEXT_KEYS: readonly (keyof StepContext)[] = [
  "question",
  "stepCount",
  "maxSteps",
  "hasRead",
  "searchCount",
  "readCount",
  "emptyResults",
  "contradictorySources",
  "actionHistory",
  "lastSearchResultsText",
  "allReadContents",
  "thought",
];

type History = StepContext["actionHistory"];

/**
 * A whole context out of the fields that a case names. The others follow from them: counts from `actionHistory`, `readCount`
 * at least from `hasRead` and `allReadContents`, `stepCount` from the counts; texts are empty, flags false, `maxSteps` 15.
 */
export function readContext(fields: Fields | undefined, report: Report): StepContext {
  const actionHistory = fields === undefined ? [] : readHistory(fields, report);
  const allReadContents = fields?.strings("allReadContents")?.map((item) => item.text) ?? [];
  const count = (key: string, least: number): number =>
    (fields === undefined ? undefined : readCount(fields, key, report)) ?? least;
  const isRead = fields?.boolean("hasRead");
  const searchCount = count("searchCount", of(actionHistory, "SEARCH"));
  const reads = Math.max(of(actionHistory, "READ"), allReadContents.length, isRead === true ? 1 : 0);
  const counted = count("readCount", isRead === false ? 0 : reads);
  return {
    question: fields?.string("question") ?? "",
    stepCount: count("stepCount", Math.max(actionHistory.length, searchCount + counted)),
    maxSteps: Math.max(1, count("maxSteps", DEFAULT_MAX_STEPS)),
    hasRead: isRead ?? counted > 0,
    searchCount,
    readCount: counted,
    emptyResults: fields?.boolean("emptyResults") ?? false,
    contradictorySources: fields?.boolean("contradictorySources") ?? false,
    actionHistory,
    lastSearchResultsText: fields?.string("lastSearchResultsText") ?? "",
    allReadContents,
    thought: fields?.string("thought") ?? "",
  };
}

function of(history: History, type: string): number {
  return history.filter((action) => action.type === type).length;
}

const whole = (value: number): number => Math.max(0, Math.round(value));

function readCount(fields: Fields, key: string, report: Report): number | undefined {
  const value = fields.number(key);
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return value;
  report.error(
    "HASP302",
    fields.rangeOf(key),
    `context.${key} must be a whole number from 0, not ${value}.`,
    `Write for example \`${key}: 2\`.`,
    fields.setting(`Write \`${key}: ${whole(value)}\``, key, `${whole(value)}`),
  );
  return undefined;
}

function readHistory(fields: Fields, report: Report): History {
  return (fields.list("actionHistory")?.items ?? []).flatMap((item) => readPast(item, report) ?? []);
}

function readPast(item: YamlValue, report: Report): History[number] | undefined {
  const fields =
    item.kind === "map"
      ? fieldsOf(item, "context.actionHistory.", report, { wrongType: "HASP302", unknownKey: "HASP303" })
      : undefined;
  fields?.refuseUnknown(["type", "arg"]);
  const type = fields?.string("type");
  if (type !== undefined && type !== "") return { type, arg: fields?.string("arg") ?? "" };
  if (fields?.entry("type") === undefined) {
    report.error(
      "HASP302",
      item.range,
      `A past action must be a mapping with a \`type\`, not ${describe(item)}.`,
      "Write for example `- { type: SEARCH, arg: some words }`.",
    );
  }
  return undefined;
}
