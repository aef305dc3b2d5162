import { html, nothing, type TemplateResult } from "lit";
import { CURVES, type CurveName } from "../../src/protocol/dashboard.ts";
import type { XAxis } from "./axis.ts";
import { figure, pointNear, valueWords } from "./figures.ts";
import { CURVE_WORDS, type ShownRun } from "./model.ts";
import { swatch } from "./run-list.ts";

/** The values of a run at the cursor, or its last ones; undefined where it has none there. */
function valuesOf(
  { points }: ShownRun,
  axis: XAxis,
  cursor: number | undefined,
): ((name: CurveName) => number | undefined) | undefined {
  const raw = points?.curves(axis).raw;
  if (raw === undefined || raw.loss.xs.length === 0) return undefined;
  const at = cursor === undefined ? raw.loss.xs.length - 1 : pointNear(raw.loss, cursor);
  return at === undefined ? undefined : (name) => raw[name].ys[at];
}

/** `Values at step 120`, `Values at 1.2 M tokens`, `Last values`. */
export function readoutTitle(axis: XAxis, cursor: number | undefined): string {
  if (cursor === undefined) return "Last values";
  if (axis === "step") return `Values at step ${Math.round(cursor).toLocaleString("en")}`;
  return `Values at ${figure(Math.round(cursor))} tokens`;
}

/** The values as recorded of each shown run at the common cursor. */
export function readout(
  shown: readonly ShownRun[],
  axis: XAxis,
  cursor: number | undefined,
): TemplateResult | typeof nothing {
  if (shown.length === 0) return nothing;
  const title = readoutTitle(axis, cursor);
  return html`<div class="readout scroll" role="region" aria-label="Values" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">${title}</th>
          ${CURVES.map(
            (name) =>
              html`<th scope="col" class="number">
                ${CURVE_WORDS[name].title}${name === "entropy" ? " (nats)" : ""}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${shown.map((one) => {
          const values = valuesOf(one, axis, cursor);
          return html`<tr>
            <th scope="row" title=${one.run.title} dir="auto">${swatch(one.slot)}${one.run.title}</th>
            ${CURVES.map((name) => html`<td class="number">${valueWords(name, values?.(name))}</td>`)}
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}
