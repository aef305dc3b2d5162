import { html, nothing, type TemplateResult } from "lit";
import type { BrokenPage, ShownFinding } from "../../src/protocol/training.ts";
import { icon, type IconName } from "../shared/icon.ts";
import type { TrainingController } from "./controller.ts";

/** How findings of each severity look. */
export const FINDING_LOOKS: Readonly<
  Record<ShownFinding["severity"], { icon: IconName; tone: string; word: string }>
> = {
  error: { icon: "error", tone: "bad", word: "Error" },
  warning: { icon: "warning", tone: "warn", word: "Warning" },
  information: { icon: "info", tone: "injected", word: "Note" },
  hint: { icon: "info", tone: "quiet", word: "Hint" },
};

/** Longer lists open on request. */
const SHOWN = 5;

function findingView({ code, severity, message, next }: ShownFinding): TemplateResult {
  const { icon: name, tone, word } = FINDING_LOOKS[severity];
  return html`<li>
    ${icon(name, tone)}
    <span dir="auto"
      ><span class="for-readers">${word}:</span> ${message}
      ${next === undefined ? nothing : html`<span class="quiet">${next}</span>`}
      <span class="quiet code">${code}</span></span
    >
  </li>`;
}

/** The first findings of a build; a press shows the others. */
export function findingsView(findings: readonly ShownFinding[]): unknown {
  if (findings.length === 0) return nothing;
  const rest = findings.slice(SHOWN);
  return html`<section aria-label="Findings">
    <ul class="findings">
      ${findings.slice(0, SHOWN).map(findingView)}
    </ul>
    ${
      rest.length === 0
        ? nothing
        : html`<details>
            <summary>${rest.length} more</summary>
            <ul class="findings">
              ${rest.map(findingView)}
            </ul>
          </details>`
    }
  </section>`;
}

export function helpButton(controller: TrainingController): TemplateResult {
  return html`<button
    type="button"
    class="icon-button"
    title="Help: training data"
    aria-label="Help"
    @click=${() => controller.openHelp()}
  >
    ${icon("question")}
  </button>`;
}

/** A file that is no card: why, and the way out. */
export function brokenView(
  { file, message, next }: BrokenPage,
  controller: TrainingController,
): TemplateResult {
  return html`<header>
      <h1 dir="auto">${file}</h1>
      <div class="buttons">${helpButton(controller)}</div>
    </header>
    <section class="notice" role="alert">
      <p dir="auto">${icon("error", "bad")} <strong>${message}</strong></p>
      <p class="next" dir="auto">${next}</p>
      <div class="buttons">
        <vscode-button @click=${() => controller.change()}>Build Training Data</vscode-button>
        <vscode-button secondary @click=${() => controller.openRaw(0)}>Open JSON</vscode-button>
      </div>
    </section>`;
}
