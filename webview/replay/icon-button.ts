import { html, type TemplateResult } from "lit";
import { icon, type IconName } from "../shared/icon.ts";

/** A button that is an icon alone; `title` is its tooltip and its name. */
export function iconButton(
  name: IconName,
  title: string,
  enabled: boolean,
  press: () => void,
): TemplateResult {
  return html`<button
    type="button"
    class="icon-button"
    title=${title}
    aria-label=${title}
    ?disabled=${!enabled}
    @click=${press}
  >
    ${icon(name)}
  </button>`;
}
