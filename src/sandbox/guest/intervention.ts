import type { Intervention } from "../../model/intervention.ts";
import { isObject } from "./data.ts";
import { WrongAnswer } from "./fault.ts";

const TEXT_CHARS = 20_000;
const REASON_CHARS = 2_000;

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}

function text(value: unknown, name: string, most: number): string {
  if (typeof value !== "string") throw new WrongAnswer(`${name} must be a string, not ${kindOf(value)}.`);
  if (value.length > most)
    throw new WrongAnswer(`${name} has ${value.length} characters; ${most} are allowed.`);
  return value;
}

/** A text that is not empty. Throws WrongAnswer where it is none, or longer than `most`. */
export function filled(value: unknown, name: string, most: number): string {
  const found = text(value, name, most);
  if (found === "") throw new WrongAnswer(`${name} must not be empty.`);
  return found;
}

/** Copies what `intervene` answered, reading each field once. Throws WrongAnswer where it is no Intervention. */
export function readIntervention(answer: unknown): Intervention {
  if (!isObject(answer)) {
    throw new WrongAnswer(
      `intervene must return an Intervention (modifyAction, injectContext or noop), not ${kindOf(answer)}.`,
    );
  }
  const { type, newActionType, newActionArg, contextText, reason } = answer as Record<string, unknown>;
  const why = text(reason, "intervene's reason", REASON_CHARS);
  if (type === "NOOP") return { type, reason: why };
  if (type === "INJECT_CONTEXT")
    return { type, contextText: filled(contextText, "intervene's contextText", TEXT_CHARS), reason: why };
  if (type !== "MODIFY_ACTION")
    throw new WrongAnswer("intervene's type must be MODIFY_ACTION, INJECT_CONTEXT or NOOP.");
  return {
    type,
    ...(newActionType !== undefined && {
      newActionType: filled(newActionType, "intervene's newActionType", REASON_CHARS),
    }),
    ...(newActionArg !== undefined && {
      newActionArg: text(newActionArg, "intervene's newActionArg", TEXT_CHARS),
    }),
    reason: why,
  };
}
