import { html, nothing, type TemplateResult } from "lit";
import { stretchesOf, type Stretch } from "../../src/model/explained-text.ts";
import type { Expression, Operand } from "../../src/model/explanation.ts";
import { literal } from "../shared/format.ts";

/** Characters of a value beside its operand, and in its tooltip. */
const SHOWN = 48;
const IN_TOOLTIP = 2_000;

/** The theme has a colour for each type of a value, as its debugger shows them. */
function toneOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? typeof value
    : "other";
}

function valueView(operand: string, value: unknown): TemplateResult {
  return html`<span
    class="inline-value token-${toneOf(value)}"
    title="${operand} is ${literal(value, IN_TOOLTIP)}"
    ><span class="for-readers"> is </span><bdi>${literal(value, SHOWN)}</bdi
    ><span class="for-readers">, </span></span
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
  return [tokens(source), operand === undefined ? nothing : valueView(operand, value)];
}

/** An expression as its source, with the values at its operands. */
export function expressionView(expression: Expression): TemplateResult {
  return html`<code class="expression" title="Line ${expression.line}" dir="ltr"
    >${stretchesOf(expression).map(stretchView)}</code
  >`;
}

/** A value that stands in no expression. */
export function operandView({ expression, value, line }: Operand): TemplateResult {
  return html`<code class="expression" title="Line ${line}" dir="ltr"
    >${tokens(expression)}${valueView(expression, value)}</code
  >`;
}
