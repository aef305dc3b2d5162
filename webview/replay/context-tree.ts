import { html, nothing, render, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { count, literal } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";

const INLINE = 120;

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function summaryOf(value: object): string {
  return Array.isArray(value) ? count(value.length, "item") : literal(value, 80);
}

function leafView(name: string, value: unknown): TemplateResult {
  const long = typeof value === "string" && (value.length > INLINE || value.includes("\n"));
  return long
    ? html`<hasp-clamp class="value" .text=${value} lines="3" what=${name}></hasp-clamp>`
    : html`<bdi class="value">${literal(value)}</bdi>`;
}

/**
 * The inside of a branch, only while it is open: a history of thousands of actions is not made anew at every step for nobody to see.
 * Runs at each render and at each toggle, so that a branch that stays open shows the step that is shown.
 */
function fill(body: Element | undefined, value: object): void {
  if (!(body instanceof HTMLElement)) return;
  const isOpen = body.parentElement instanceof HTMLDetailsElement && body.parentElement.open;
  render(isOpen ? treeView(value) : nothing, body);
}

function nodeView(name: string, value: unknown, changed: boolean): TemplateResult {
  const mark = changed
    ? html`<span class="changed-mark">${icon("circle-filled", "changed")} changed</span>`
    : nothing;
  const label = html`<span class="name">${name}</span>`;
  if (!isBranch(value))
    return html`<li data-key=${name}><div class="leaf">${label}${leafView(name, value)}${mark}</div></li>`;
  return html`<li data-key=${name}>
    <details
      @toggle=${({ currentTarget }: Event) =>
        fill((currentTarget as HTMLElement).lastElementChild ?? undefined, value)}
    >
      <summary>${label}<bdi class="quiet">${summaryOf(value)}</bdi>${mark}</summary>
      <div ${ref((body) => fill(body, value))}></div>
    </details>
  </li>`;
}

/** Plain data as nested lists that fold. `changed` names keys of the first level. Arrays count from 0, as in code. */
export function treeView(value: object, changed: readonly string[] = []): TemplateResult {
  return html`<ul class="tree code">
    ${Object.entries(value).map(([name, child]) => nodeView(name, child, changed.includes(name)))}
  </ul>`;
}
