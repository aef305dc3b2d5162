import { diffWordsWithSpace } from "diff";
import { html, nothing, type TemplateResult } from "lit";
import type { Action } from "../../src/model/action.ts";
import type { Proposal } from "../../src/model/episode.ts";
import { shortTextView } from "../shared/clamp.ts";
import { term } from "../shared/terms.ts";

/** Beyond this a word diff says little and takes long. */
const DIFF_LIMIT = 2_000;

type Side = "before" | "after";

interface ActionOptions {
  /** Another action, from which this one differs as one side of a diff. */
  readonly other?: Action | undefined;
  /** Side of the diff; "before" if absent. */
  readonly side?: Side;
  /** Formulas in the argument are drawn. */
  readonly formulas?: boolean;
  /** The argument is a Python program. */
  readonly code?: boolean;
}

interface ArgumentOptions extends ActionOptions {
  /** Lines of a long argument that is closed. */
  readonly lines?: number;
  /** The button that opens it stands beside it. */
  readonly compact?: boolean;
  /** Characters that it is opened to. */
  readonly opened?: number;
}

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

/** The policy's own text, where no action could be read in it. */
export function rawView(action: Action): unknown {
  if (action.raw === undefined || action.raw === action.arg) return nothing;
  return html`<hasp-clamp class="raw code" .text=${action.raw} lines="4" what="the raw text"></hasp-clamp>`;
}

/** The reply, word for word, where its action had another form than the prompt asks for. */
export function lenientView({ lenient, completion }: Proposal): unknown {
  if (lenient === undefined) return nothing;
  return html`<p class="lenient quiet" data-no-find>${term("read leniently")}</p>
    ${completion === undefined || completion.text === "" ? nothing : html`<hasp-clamp class="raw code" .text=${completion.text} lines="4" what="the reply"></hasp-clamp>`}`;
}

/** It stands below its type, in lines of its own. */
function isLong(arg: string, code: boolean): boolean {
  return code || arg.length > 600 || arg.includes("\n");
}

/** The argument of an action, cut where it is long. If `other` is of the same type, the words that differ from it are marked. */
export function argumentView(action: Action, options: ArgumentOptions): TemplateResult {
  const { other, side = "before", lines = 12, compact = false, opened = 0, formulas = false } = options;
  const { code = false } = options;
  if (isLong(action.arg, code))
    return html`<hasp-clamp
      class="raw code ${code ? "program-block" : ""}"
      .opened=${opened}
      .text=${action.arg}
      .formulas=${formulas && "answer"}
      .code=${code && "program"}
      lines=${lines}
      ?compact=${compact && !code}
      what=${code ? "the program" : "the argument"}
    ></hasp-clamp>`;
  const differs = other !== undefined && other.type === action.type && other.arg !== action.arg;
  return html`<bdi class="action-arg"
    >${differs ? markedWords(action.arg, other.arg, side) : shortTextView(action.arg, formulas && "answer", "the argument")}</bdi
  >`;
}

/**
 * An action on one line: its type, then its argument. With `other`, what differs from it is marked as one side of a
 * diff: a whole action where the type changed, else the words.
 */
export function actionView(
  action: Action,
  {
    other,
    side = "before",
    formulas = false,
    code = false,
    lines = 12,
  }: ActionOptions & { readonly lines?: number },
): TemplateResult {
  const differs = other !== undefined && (other.type !== action.type || other.arg !== action.arg);
  const mark = side === "before" ? "removed" : "added";
  const isMarked = differs && (other.type !== action.type || isLong(action.arg, code));
  const type = html`<span class="action-type ${action.type === "invalid" ? "bad" : ""}"
    >${action.type}</span
  >`;
  const argument = argumentView(action, { other, side, formulas, code, lines });
  const css = `action ${isMarked ? mark : ""}`;
  return isLong(action.arg, code)
    ? html`<span class=${css}>${type}</span>${argument}${rawView(action)}`
    : html`<span class=${css}>${type} ${argument}</span>${rawView(action)}`;
}
