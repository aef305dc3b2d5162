import { html, nothing, type TemplateResult } from "lit";

/** A part of a step that folds; `extra` is shown beside its title. `isOpen`: as a person left it, where that is kept. */
export function detailSection(
  key: string,
  title: string,
  extra: string,
  body: unknown,
  onToggle?: (open: boolean) => void,
  isOpen = false,
): TemplateResult {
  const toggled = ({ target }: Event): void => {
    if (target instanceof HTMLDetailsElement && target.dataset["section"] === key) onToggle?.(target.open);
  };
  return html`<details class="more" data-section=${key} ?open=${isOpen} @toggle=${toggled}>
    <summary>${title}${extra === "" ? nothing : html` <span class="quiet">${extra}</span>`}</summary>
    <div class="more-body">${body}</div>
  </details>`;
}
