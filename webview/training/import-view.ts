import { html, nothing, type TemplateResult } from "lit";
import type { ImportedKind, ImportFinding } from "../../src/model/import-report.ts";
import type { ImportPage, ShownFile } from "../../src/protocol/training.ts";
import { baseName, count, timeAgo } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import type { TrainingController } from "./controller.ts";
import { FINDING_LOOKS } from "./notices.ts";

/** Rows of a table and places of a finding that are shown at once; the others open on request. */
const SHOWN_ROWS = 10;
const SHOWN_PLACES = 3;
const SHOWN_BRANCHES = 5;

const grouped = (n: number): string => n.toLocaleString("en");

function headView({ title, report }: ImportPage, controller: TrainingController): TemplateResult {
  const when = Date.parse(report.createdAt);
  return html`<header>
      <h1 dir="auto">Import of ${title.replace(/ \(imported\)$/, "")}</h1>
      <div class="buttons">
        <vscode-button @click=${() => controller.openRun()}>Open Run</vscode-button>
        <vscode-button
          secondary
          title="Open import.json, which has all files"
          @click=${() => controller.openRaw(0)}
          >Open JSON</vscode-button
        >
      </div>
    </header>
    <p class="facts quiet">
      <span>imported <span title=${new Date(when).toLocaleString()}>${timeAgo(when, Date.now())}</span></span>
      ${report.order.sources.slice(0, 3).map((source) => html`<bdi class="code source">${source}</bdi>`)}
      ${report.order.sources.length > 3 ? html`<span>and ${report.order.sources.length - 3} more</span>` : nothing}
    </p>`;
}

const total = (name: string, value: unknown): TemplateResult =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

/** `104 unjudged, 6 abandoned`. */
function outcomeWords({ outcomes }: ImportPage["report"]): string {
  return Object.entries(outcomes)
    .filter(([, n]) => n > 0)
    .map(([outcome, n]) => `${grouped(n)} ${outcome}`)
    .join(", ");
}

function unreadWords({ unread }: ImportPage["report"]): string {
  const endings = unread.endings.map(({ ending, files }) => `${grouped(files)} ${ending}`);
  return `${count(unread.files, "file")} of no known format left out: ${endings.join(", ")}`;
}

function totalsView({ report, read }: ImportPage): TemplateResult {
  const { episodes, steps, abandoned, abandonedSteps, subAgents, invalidSteps, unread } = report;
  const { exactPrompts, transcriptPrompts, withoutPrompt } = report;
  return html`<dl class="totals">
    ${total("Files", html`${grouped(read)} read${unread.files === 0 ? nothing : html`<span class="quiet">; ${unreadWords(report)}</span>`}`)}
    ${total("Episodes", html`${grouped(episodes)} <span class="quiet">(${outcomeWords(report)})</span>`)}
    ${total(
      "Steps",
      html`${grouped(steps)}
      ${invalidSteps === 0 ? nothing : html`<span class="quiet">(${grouped(invalidSteps)} without a readable action)</span>`}`,
    )}
    ${abandoned === 0 ? nothing : total("Branches", html`${icon("discard", "quiet")} ${grouped(abandoned)} abandoned, with ${count(abandonedSteps, "step")}`)}
    ${subAgents === 0 ? nothing : total("Sub-agents", html`${count(subAgents, "episode")}`)}
    ${total(
      "Prompts",
      html`<span title="Training data can be made of turns with a prompt"
        >${grouped(exactPrompts)} exact, ${grouped(transcriptPrompts)} from a transcript,
        ${grouped(withoutPrompt)} without</span
      >`,
    )}
  </dl>`;
}

/** The first of the rows, and the others behind a summary. */
function folded<T>(
  rows: readonly T[],
  most: number,
  view: (rows: readonly T[], from: number) => unknown,
): unknown {
  if (rows.length <= most) return view(rows, 0);
  return html`${view(rows.slice(0, most), 0)}
    <details>
      <summary>${grouped(rows.length - most)} more</summary>
      ${view(rows.slice(most), most)}
    </details>`;
}

function findingView(
  finding: ImportFinding,
  position: number,
  controller: TrainingController,
): TemplateResult {
  const { code, severity, next, times, files, places } = finding;
  const look = FINDING_LOOKS[severity];
  const hidden = times - places.length;
  return html`<li>
    ${icon(look.icon, look.tone)}
    <div>
      <p class="row-head">
        <span>${look.word}, ${count(times, "time")}${files > 1 ? ` in ${grouped(files)} files` : ""}</span>
        <span class="quiet code">${code}</span>
      </p>
      ${folded(
        places,
        SHOWN_PLACES,
        (shown, from) =>
          html`<ul class="places">
            ${shown.map(
              ({ file, line, message }, i) =>
                html`<li>
                  ${
                    file === undefined
                      ? nothing
                      : html`<button
                          type="button"
                          class="link"
                          title=${file}
                          @click=${() => controller.openPlace(position, from + i)}
                        >
                          ${baseName(file)}${line === undefined ? "" : `:${line}`}
                        </button>`
                  }
                  <span dir="auto">${line === undefined ? message : message.replace(/^Line \d+: /, "")}</span>
                </li>`,
            )}
          </ul>`,
      )}
      ${hidden > 0 ? html`<p class="quiet">${grouped(hidden)} more are not listed.</p>` : nothing}
      ${next === undefined ? nothing : html`<p class="quiet" dir="auto">${next}</p>`}
    </div>
  </li>`;
}

function findingsView({ report }: ImportPage, controller: TrainingController): unknown {
  if (report.findings.length === 0)
    return html`<p class="empty">
      ${icon("pass", "good")} Everything in these files was read, or is of a known kind.
    </p>`;
  return html`<section aria-label="Findings">
    <h2>Findings</h2>
    <ul class="findings">
      ${report.findings.map((finding, i) => findingView(finding, i, controller))}
    </ul>
  </section>`;
}

function kindsView(title: string, about: string, kinds: readonly ImportedKind[], why: boolean): unknown {
  if (kinds.length === 0) return nothing;
  const table = (rows: readonly ImportedKind[]): TemplateResult =>
    html`<table class="figures kinds">
      <thead>
        <tr>
          <th scope="col">Kind</th>
          <th scope="col" class="number">Times</th>
          <th scope="col" class="number">Files</th>
          ${why ? html`<th scope="col" class="about">Reason</th>` : html`<th scope="col" class="about">First in</th>`}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ what, to, times, files, first }) =>
            html`<tr>
              <th scope="row" class="code" dir="auto">${what}</th>
              <td class="number">${grouped(times)}</td>
              <td class="number">${grouped(files)}</td>
              <td class="quiet about" dir="auto" title=${first}>${why ? to : baseName(first)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  return html`<section aria-label=${title}>
    <h2>${title}</h2>
    <p class="quiet">${about}</p>
    ${folded(kinds, SHOWN_ROWS, table)}
  </section>`;
}

function formatsView({ report: { formats } }: ImportPage): TemplateResult {
  return html`<section aria-label="Formats">
    <h2>Formats</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Counts of each format">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Format</th>
            ${["Files", "Episodes", "Steps", "Abandoned", "Sub-agents", "With prompts"].map(
              (name) => html`<th scope="col" class="number">${name}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${formats.map(
            ({ format, files, episodes, steps, abandoned, subAgents, exactPrompts, transcriptPrompts }) =>
              html`<tr>
                <th scope="row">${format}</th>
                ${[files, episodes, steps, abandoned, subAgents, exactPrompts + transcriptPrompts].map(
                  (n) => html`<td class="number">${grouped(n)}</td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** `3 steps, left after step 2 of s1`, which is a way there. */
function leftView(
  { steps, origin }: ImportPage["report"]["branches"][number],
  controller: TrainingController,
): unknown {
  if (origin === undefined) return count(steps, "step");
  const { episode, t } = origin;
  const [where, place] =
    t === undefined ? ["before the first step of", episode] : ["after", `step ${t + 1} of ${episode}`];
  return html`${count(steps, "step")}, left ${where}
    <button
      type="button"
      class="link"
      title="Open the episode that this branch left, at that step"
      @click=${() => controller.openEpisode(episode, t)}
    >
      <bdi>${place}</bdi>
    </button>`;
}

function branchesView({ report }: ImportPage, controller: TrainingController): unknown {
  const listed = report.branches;
  if (listed.length === 0) return nothing;
  const list = (rows: typeof listed): TemplateResult =>
    html`<ul class="branches">
      ${rows.map(
        (branch) =>
          html`<li>
            ${icon("discard", "quiet")}
            <div>
              <button
                type="button"
                class="link"
                dir="auto"
                title="Open this branch in the replay"
                @click=${() => controller.openEpisode(branch.episode)}
              >
                ${branch.question === "" ? branch.episode : branch.question}
              </button>
              <p class="quiet">${leftView(branch, controller)}</p>
            </div>
          </li>`,
      )}
    </ul>`;
  const more = report.abandoned - listed.length;
  return html`<section aria-label="Abandoned branches">
    <h2>Abandoned branches</h2>
    <p class="quiet">
      A person took these steps back. Nothing judges them, and no training data is made of them.
    </p>
    ${folded(listed, SHOWN_BRANCHES, (rows) => list([...rows]))}
    ${more > 0 ? html`<p class="quiet">${grouped(more)} more: filter the episodes of the run by their outcome.</p>` : nothing}
  </section>`;
}

function fileTable(files: readonly ShownFile[], controller: TrainingController): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Counts of each file">
    <table class="figures by-file">
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col">Format</th>
          ${["Episodes", "Steps", "Problems", "Unknown kinds"].map(
            (name) => html`<th scope="col" class="number">${name}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${files.map(({ file, format, firstEpisode, ...counts }) => {
          const { episodes, steps, problems, unknown } = counts;
          return html`<tr>
            <th scope="row" title=${file} dir="auto">
              ${
                firstEpisode === undefined
                  ? baseName(file)
                  : html`<button
                      type="button"
                      class="link"
                      aria-label="Open the first episode of ${baseName(file)}"
                      @click=${() => controller.openEpisode(firstEpisode)}
                    >
                      ${baseName(file)}
                    </button>`
              }
            </th>
            <td>${format}</td>
            ${[episodes, steps, problems, unknown].map((n) => html`<td class="number">${grouped(n)}</td>`)}
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

function filesView({ files, read, odd }: ImportPage, controller: TrainingController): TemplateResult {
  const toLookAt = files.slice(0, odd);
  const others = files.slice(odd);
  const hidden = read - files.length;
  return html`<section aria-label="Files">
    <h2>Files</h2>
    ${
      odd === 0
        ? nothing
        : html`<p class="quiet">${grouped(odd)} of ${count(read, "file")} to look at.</p>
            ${folded(toLookAt, SHOWN_ROWS, (rows) => fileTable(rows, controller))}`
    }
    ${
      others.length === 0
        ? nothing
        : html`<details>
            <summary>${count(others.length, odd === 0 ? "file" : "other file")}</summary>
            ${fileTable(others, controller)}
          </details>`
    }
    ${hidden > 0 ? html`<p class="quiet">${count(hidden, "file")} more are in import.json.</p>` : nothing}
  </section>`;
}

function unreadView({ report: { unread } }: ImportPage): unknown {
  if (unread.files === 0) return nothing;
  return html`<details>
    <summary>${count(unread.files, "file")} of no known format</summary>
    <ul class="places">
      ${unread.first.map((file) => html`<li class="code" dir="auto">${file}</li>`)}
    </ul>
    ${unread.files > unread.first.length ? html`<p class="quiet">and ${grouped(unread.files - unread.first.length)} more</p>` : nothing}
  </details>`;
}

function commandView({ report: { order }, run }: ImportPage): TemplateResult {
  const quoted = (text: string): string =>
    /^[\w./~:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const words = [
    "hasp import",
    ...order.sources.slice(0, 20).map(quoted),
    ...(order.sources.length > 20 ? ["…"] : []),
    ...(order.format === undefined ? [] : ["--from", order.format]),
    ...(order.domain === undefined ? [] : ["--domain", order.domain]),
    ...(order.questions === undefined ? [] : ["--questions", quoted(order.questions)]),
    ...(order.verdicts === undefined ? [] : ["--verdicts", quoted(order.verdicts)]),
    "-o",
    quoted(run),
  ];
  return html`<section aria-label="To import again">
    <h2>To import again</h2>
    <p class="command code">${words.join(" ")}</p>
  </section>`;
}

/** The report of an import: counts, what was not read, abandoned branches, and the files to look at. */
export function importView(page: ImportPage, controller: TrainingController): TemplateResult {
  const { unknown, dropped } = page.report;
  return html`${headView(page, controller)} ${totalsView(page)} ${findingsView(page, controller)}
  ${kindsView("Unknown kinds", "No reader of HASP knows these lines or parts, and they are in no episode.", unknown, false)}
  ${branchesView(page, controller)} ${formatsView(page)}
  ${kindsView("Known kinds that no episode needs", "They are left out.", dropped, true)}
  ${filesView(page, controller)} ${unreadView(page)} ${commandView(page)}`;
}
