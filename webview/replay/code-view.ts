import { html, nothing, type TemplateResult } from "lit";
import { stretchesOf, TRUTH_MARKS, type Stretch } from "../../src/model/explained-text.ts";
import type { Expression, Operand } from "../../src/model/explanation.ts";
import { icon } from "../shared/icon.ts";

/** Characters of a value beside its operand; its tooltip has all of it. */
const SHOWN = 48;

/** The theme has a colour for each type of a value, as its debugger shows them. */
function toneOf(value: string): string {
  if (value.startsWith('"')) return "string";
  if (/^-?(?:\d|Infinity$)/.test(value)) return "number";
  return value === "true" || value === "false" ? "boolean" : "other";
}

const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

function valueView(operand: string, value: string): TemplateResult {
  return html`<span class="inline-value token-${toneOf(value)}" title="${operand} is ${value}"
    ><span class="for-readers"> is </span><bdi>${cut(value)}</bdi><span class="for-readers">, </span></span
  >`;
}

/** Texts, numbers and constants of the code; all else keeps the colour of the line. */
const TOKENS =
  /(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>\b\d[\d_.]*\b)|(?<boolean>\b(?:true|false|null|undefined)\b)/g;

function tokens(source: string): unknown[] {
  const parts: unknown[] = [];
  let from = 0;
  for (const match of source.matchAll(TOKENS)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ["other"];
    parts.push(source.slice(from, match.index), html`<span class="token-${kind}">${match[0]}</span>`);
    from = match.index + match[0].length;
  }
  return [...parts, source.slice(from)];
}

function stretchView({ source, operand, value }: Stretch): unknown {
  const hasValue = operand !== undefined && value !== undefined;
  return [tokens(source), hasValue ? valueView(operand, value) : nothing];
}

function truthView({ holds }: Expression): unknown {
  if (holds === undefined) return nothing;
  return html`<span class="truth" data-holds=${holds}
    >${holds ? icon("check", "good") : icon("close", "quiet")} ${TRUTH_MARKS[`${holds}`].word}</span
  > `;
}

/** An expression as its source, with the values at its operands, behind its truth. */
export function expressionView(expression: Expression): TemplateResult {
  return html`${truthView(expression)}<code class="expression" title="Line ${expression.line}" dir="ltr"
      >${stretchesOf(expression).map(stretchView)}</code
    >`;
}

/** A value that stands in no expression. */
export function operandView({ expression, value, line }: Operand): TemplateResult {
  return html`<code class="expression" title="Line ${line}" dir="ltr"
    >${tokens(expression)}${valueView(expression, value)}</code
  >`;
}
