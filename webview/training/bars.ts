import { html, nothing, type TemplateResult } from "lit";
import { styleMap } from "lit/directives/style-map.js";
import type { Bin } from "./model.ts";

/** A bar of a share of `most`; the number beside it says the same. */
export function bar(count: number, most: number): TemplateResult {
  const width = `${most === 0 ? 0 : (100 * count) / most}%`;
  return html`<div class="bar" aria-hidden="true">
    <div class="filled" style=${styleMap({ width })}></div>
  </div>`;
}

/** A bar from the middle: to the right for a positive value, hatched to the left for a negative one. */
export function signedBar(value: number): TemplateResult {
  const width = `${Math.min(1, Math.abs(value)) * 50}%`;
  const side = value < 0 ? { right: "50%" } : { left: "50%" };
  return html`<div class="bar signed" aria-hidden="true">
    <div class="filled ${value < 0 ? "negative" : ""}" style=${styleMap({ width, ...side })}></div>
  </div>`;
}

/** Counts by tenths, one bar below the other. */
export function histogramView(
  title: string,
  unit: { readonly value: string; readonly count: string },
  bins: readonly Bin[],
  mark?: (bin: Bin) => unknown,
): unknown {
  if (bins.length === 0) return nothing;
  const most = Math.max(...bins.map(({ count }) => count));
  return html`<section aria-label=${title}>
    <h2>${title}</h2>
    <table class="bars">
      <thead class="for-readers">
        <tr>
          <th scope="col">${unit.value}</th>
          <th scope="col">share</th>
          <th scope="col">${unit.count}</th>
        </tr>
      </thead>
      <tbody>
        ${bins.map(
          (bin) =>
            html`<tr>
              <th scope="row" class="number">${bin.label}</th>
              <td class="wide">${bar(bin.count, most)}</td>
              <td class="number">${bin.count.toLocaleString("en")}${mark?.(bin) ?? nothing}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}
