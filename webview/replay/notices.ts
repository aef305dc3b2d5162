import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing, type TemplateResult } from "lit";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { OpenedRun } from "../../src/protocol/replay.ts";
import { count } from "../shared/format.ts";
import { icon, type IconName } from "../shared/icon.ts";
import type { Controller } from "./controller.ts";
import type { Failure, ReplayState } from "./state.ts";

/** What failed, why, what next, and the log. */
export function failureView(failure: Failure, controller: Controller, dismiss?: () => void): TemplateResult {
  return html`<div class="failure" role="alert">
    ${icon("error", "bad")}
    <div class="failure-words">
      <p class="what">${failure.what}</p>
      <p dir="auto">${failure.why}</p>
      ${failure.next === undefined ? nothing : html`<p dir="auto">${failure.next}</p>`}
    </div>
    <div class="buttons">
      ${
        dismiss === undefined
          ? html`<vscode-button secondary @click=${() => controller.retry()}>Try again</vscode-button>`
          : html`<vscode-button secondary @click=${dismiss}>Dismiss</vscode-button>`
      }
      <vscode-button secondary @click=${() => controller.openLog()}>Open log</vscode-button>
    </div>
  </div>`;
}

const SEVERITY_ICONS: Readonly<Record<Diagnostic["severity"], readonly [IconName, string]>> = {
  error: ["error", "bad"],
  warning: ["warning", "warn"],
  information: ["info", ""],
  hint: ["info", "quiet"],
};

/** Something to know before what follows is believed. */
export function remarkView({ severity, message, next }: Diagnostic): TemplateResult {
  const [name, tone] = SEVERITY_ICONS[severity];
  return html`<p class="note remark" role="note">
    ${icon(name, tone)} <span dir="auto">${message} <span class="quiet">${next}</span></span>
  </p>`;
}

function diagnosticView(diagnostic: Diagnostic): TemplateResult {
  const [name, tone] = SEVERITY_ICONS[diagnostic.severity];
  return html`<li>
    ${icon(name, tone)}
    <span class="place">line ${(diagnostic.range.start.line + 1).toLocaleString("en")}</span>
    <span dir="auto"
      >${diagnostic.message}${diagnostic.next === undefined ? nothing : html` <span class="quiet">${diagnostic.next}</span>`}</span
    >
    <span class="quiet">${diagnostic.code}</span>
  </li>`;
}

/** What is wrong with the run's file or its library, in one bar above everything. */
export function runNotices(run: OpenedRun, controller: Controller): unknown {
  const { libraryNotice, runSkills, diagnostics } = run;
  return html`${
    libraryNotice === undefined
      ? nothing
      : html`<div class="bar" role="status">${icon("info")}<span dir="auto">${libraryNotice}</span></div>`
  }
  ${
    runSkills === "judging"
      ? html`<div class="bar" role="status">
          ${icon("history")}<span>The skills that this run had judge its steps, not today's.</span>
          <button type="button" class="link" @click=${() => controller.stepCommand("judgeWithTodaysSkills")}>
            Judge with today's skills
          </button>
        </div>`
      : nothing
  }
  ${
    diagnostics.length === 0
      ? nothing
      : html`<details class="bar">
          <summary>
            ${icon("warning", "warn")}<span
              >${count(diagnostics.length, "problem")} in the files of this run</span
            >
          </summary>
          <ul class="diagnostics">
            ${diagnostics.slice(0, 200).map(diagnosticView)}
          </ul>
          ${diagnostics.length > 200 ? html`<p class="quiet">The first 200 are shown.</p>` : nothing}
          <button type="button" class="link" @click=${() => controller.openLog()}>Open log</button>
        </details>`
  }`;
}

/** The labels are missing everywhere then, and a filter by label finds nothing. */
export function notesNotice(notes: ReplayState["notes"], controller: Controller): unknown {
  if (notes.state !== "failed") return nothing;
  const { what, why, next } = notes.failure;
  return html`<div class="bar notes-notice" role="alert">
    ${icon("warning", "warn")}
    <span dir="auto"
      >${what} ${why}<br />${next ?? "No label is shown meanwhile: look at notes.jsonl beside the run, then try again."}</span
    >
    <button type="button" class="link" @click=${() => controller.loadNotes()}>Try again</button>
    <button type="button" class="link" @click=${() => controller.openLog()}>Open log</button>
  </div>`;
}

export function emptyRunView(controller: Controller): TemplateResult {
  return html`<div class="empty">
    <h1>No episodes yet</h1>
    <p>
      This is where the episodes of a run are listed and replayed step by step. They come from recorded
      trajectories, or from a run of the agent. The list fills by itself as episodes are written.
    </p>
    <p>
      <vscode-button @click=${() => controller.fillRun("importEpisodes")}>Import episodes</vscode-button>
      <vscode-button secondary @click=${() => controller.fillRun("runQuestions")}
        >Run questions</vscode-button
      >
      <vscode-button secondary @click=${() => controller.fillRun("openSample")}
        >Open the sample</vscode-button
      >
    </p>
  </div>`;
}
