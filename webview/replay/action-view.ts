import { diffWordsWithSpace } from "diff";
import { html, nothing, type TemplateResult } from "lit";
import type { Action } from "../../src/model/action.ts";

/** Beyond this a word diff says little and takes long. */
const DIFF_LIMIT = 2_000;

type Side = "before" | "after";

/** The argument's words, with those that only this side has marked. */
function markedWords(arg: string, other: string, side: Side): unknown {
  if (Math.max(arg.length, other.length) > DIFF_LIMIT) return arg;
  const parts = side === "before" ? diffWordsWithSpace(arg, other) : diffWordsWithSpace(other, arg);
  return parts
    .filter((part) => !(side === "before" ? part.added : part.removed))
    .map((part) =>
      part.added || part.removed
        ? html`<span class=${side === "before" ? "removed" : "added"}>${part.value}</span>`
        : part.value,
    );
}

function rawView(action: Action): unknown {
  if (action.raw === undefined) return nothing;
  return html`<hasp-clamp class="raw code" .text=${action.raw} lines="4" what="the raw text"></hasp-clamp>`;
}

/** Such as the program that a FINAL of the code domain carries. */
function isLong(arg: string): boolean {
  return arg.length > 600 || arg.includes("\n");
}

function longActionView(action: Action, mark: string): TemplateResult {
  return html`<span class="action ${mark}"><span class="action-type">${action.type}</span></span
    ><hasp-clamp class="raw code" .text=${action.arg} lines="12" what="the argument"></hasp-clamp
    >${rawView(action)}`;
}

/**
 * An action on one line: its type, then its argument. With `other`, what differs from it is marked as one side of a
 * diff: a whole action where the type changed, else the words.
 */
export function actionView(action: Action, other?: Action, side: Side = "before"): TemplateResult {
  const differs = other !== undefined && (other.type !== action.type || other.arg !== action.arg);
  const mark = side === "before" ? "removed" : "added";
  const whole = differs && other.type !== action.type;
  const arg = differs && !whole ? markedWords(action.arg, other.arg, side) : action.arg;
  if (isLong(action.arg)) return longActionView(action, differs ? mark : "");
  return html`<span class="action ${whole ? mark : ""}"
      ><span class="action-type ${action.type === "invalid" ? "bad" : ""}">${action.type}</span>
      <bdi class="action-arg">${arg}</bdi></span
    >${rawView(action)}`;
}
