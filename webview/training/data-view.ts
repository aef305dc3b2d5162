import { html, nothing, type TemplateResult } from "lit";
import type { DataCard, GroupRows } from "../../src/model/data-card.ts";
import { FAMILIES } from "../../src/model/signals.ts";
import { FILTER_WORDS, TRAIN_FILES } from "../../src/model/train-data.ts";
import type { DataPage } from "../../src/protocol/training.ts";
import { count, timeAgo } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { histogramView } from "./bars.ts";
import type { TrainingController } from "./controller.ts";
import { binsOf, decimal, share } from "./model.ts";
import { findingsView, helpButton } from "./notices.ts";
import { samplesView } from "./samples-view.ts";

const grouped = (n: number): string => n.toLocaleString("en");

function buttonsView({ folder }: DataPage, card: number, controller: TrainingController): TemplateResult {
  if (folder === undefined)
    return html`<vscode-button @click=${() => controller.writeFiles()}>Write Files</vscode-button>
      <vscode-button secondary title="Choose other runs or another filter" @click=${() => controller.change()}
        >Change</vscode-button
      >`;
  return html`<vscode-button @click=${() => controller.openFile(card)}>Open File</vscode-button>
    <vscode-button secondary @click=${() => controller.openFolder()}>Open Folder</vscode-button>
    <vscode-button secondary title="Open the card as JSON" @click=${() => controller.openRaw(card)}
      >Open JSON</vscode-button
    >`;
}

function headView(
  page: DataPage,
  shown: DataCard | undefined,
  card: number,
  controller: TrainingController,
): TemplateResult {
  const { title, folder } = page;
  const when = shown?.createdAt ?? "";
  const exact = new Date(when).toLocaleString();
  return html`<header>
      <h1 dir="auto">${title}</h1>
      <div class="buttons">${buttonsView(page, card, controller)} ${helpButton(controller)}</div>
    </header>
    <p class="facts quiet">
      ${
        folder === undefined
          ? html`<span class="badge">${icon("info", "injected")} Preview: nothing is written yet</span>`
          : html`built <span title=${exact}>${timeAgo(Date.parse(when), Date.now())}</span>`
      }
      ${shown === undefined ? nothing : html`<span dir="auto">domain ${shown.domain}</span>`}
    </p>`;
}

/** The files with their counts; a press on a name shows its card below. */
function filesView({ cards }: DataPage, shown: number, controller: TrainingController): TemplateResult {
  return html`<section aria-label="Files">
    <h2>Files</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Counts of each file">
      <table class="figures files">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" class="number">Rows</th>
            <th scope="col" class="number" title="Guessed from characters, four a token">Prompt tokens</th>
            <th scope="col" class="number" title="Guessed from characters, four a token">Target tokens</th>
            <th scope="col" class="about">Content</th>
          </tr>
        </thead>
        <tbody>
          ${cards.map(
            ({ file, kind, rows, tokens }, i) =>
              html`<tr class=${i === shown ? "current" : ""}>
                <th scope="row">
                  <button
                    type="button"
                    class="link"
                    aria-pressed=${i === shown}
                    title="Show the card of ${file}: ${TRAIN_FILES[kind].about}"
                    @click=${() => controller.showCard(i)}
                  >
                    ${icon(i === shown ? "chevron-down" : "chevron-right")} ${file}
                  </button>
                </th>
                <td class="number">${grouped(rows)}</td>
                <td class="number">${grouped(tokens.prompt)}</td>
                <td class="number">${grouped(tokens.target)}</td>
                <td class="quiet about">${TRAIN_FILES[kind].about}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function factsView(card: DataCard): TemplateResult {
  const { objective, order, scored, families, rendered, heldOutQuestions, notices } = card;
  const { filter, floor, weights } = order;
  const without = weights.dropped.length === 0 ? "" : `, without ${weights.dropped.join(", ")}`;
  const means = FAMILIES.map((family) => `${family} ${decimal(families[family])}`).join(" · ");
  return html`<ul class="notes">
    ${
      objective === "b"
        ? nothing
        : html`<li>Filter: ${FILTER_WORDS[filter]}</li>
            <li>
              ${grouped(scored.overFloor)} of ${count(scored.steps, "measured step")}
              (${share(scored.overFloor, scored.steps)}) reach the reward floor ${floor}${without}
            </li>
            ${card.rows === 0 ? nothing : html`<li>Mean of the rows: ${means}</li>`}`
    }
    ${
      card.rows === 0
        ? nothing
        : html`<li>
            Longest row: ${count(card.tokens.longestRow, "token")}, guessed; a trainer cuts what is over its
            limit
          </li>`
    }
    ${rendered === 0 ? nothing : html`<li>${count(rendered, "row")} from a record or a script: no model wrote the completion</li>`}
    ${heldOutQuestions === 0 ? nothing : html`<li>${count(heldOutQuestions, "question")} of test and validation splits held out</li>`}
    ${notices.map((notice) => html`<li dir="auto">${notice}</li>`)}
  </ul>`;
}

function groupsView(title: string, head: string, groups: readonly GroupRows[]): unknown {
  if (groups.length === 0) return nothing;
  return html`<section aria-label=${title}>
    <h2>${title}</h2>
    <table class="figures narrow">
      <thead>
        <tr>
          <th scope="col">${head}</th>
          <th scope="col" class="number">Rows</th>
          <th scope="col" class="number">Mean weight</th>
        </tr>
      </thead>
      <tbody>
        ${groups.map(
          ({ name, rows, weight }) =>
            html`<tr>
              <th scope="row" dir="auto">${name}</th>
              <td class="number">${grouped(rows)}</td>
              <td class="number">${decimal(weight)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function droppedView({ dropped, objective }: DataCard): unknown {
  if (dropped.length === 0) return nothing;
  return html`<section aria-label="Left out">
    <h2>Left out</h2>
    <table class="figures narrow">
      <thead>
        <tr>
          <th scope="col">Reason</th>
          <th scope="col" class="number">${objective === "a" ? "Steps" : "Candidates"}</th>
        </tr>
      </thead>
      <tbody>
        ${dropped.map(
          ({ reason, steps }) =>
            html`<tr>
              <th scope="row" dir="auto">${reason}</th>
              <td class="number">${grouped(steps)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function sourcesView({ sources }: DataCard, card: number, controller: TrainingController): unknown {
  if (sources.length === 0) return nothing;
  return html`<section aria-label="Runs">
    <h2>Runs</h2>
    <table class="figures narrow">
      <thead>
        <tr>
          <th scope="col">Run</th>
          <th scope="col" class="number">Episodes</th>
          <th scope="col" class="number">Steps</th>
          <th scope="col" class="number">Rows</th>
        </tr>
      </thead>
      <tbody>
        ${sources.map(
          ({ run, episodes, steps, rows }, i) =>
            html`<tr>
              <th scope="row">
                <button
                  type="button"
                  class="link"
                  title="Show the signals of this run"
                  dir="auto"
                  @click=${() => controller.showSignals(card, i)}
                >
                  ${run}
                </button>
              </th>
              <td class="number">${grouped(episodes)}</td>
              <td class="number">${grouped(steps)}</td>
              <td class="number">${grouped(rows)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function emptyView({ folder }: DataPage, { kind }: DataCard, controller: TrainingController): TemplateResult {
  const pairs = kind === "a-dpo" || kind === "b-dpo";
  return html`<p class="empty">
    ${pairs ? "No pair: nothing here was preferred to anything else." : "No row passed the filter and the floor."}
    ${
      folder === undefined
        ? html`<button type="button" class="link" @click=${() => controller.change()}>
            Choose other runs or another filter
          </button>`
        : nothing
    }
  </p>`;
}

/** The card of one file below the counts of all. */
export function dataView(page: DataPage, chosen: number, controller: TrainingController): TemplateResult {
  const position = page.cards[chosen] === undefined ? 0 : chosen;
  const card = page.cards[position];
  const head = headView(page, card, position, controller);
  if (card === undefined) return html`${head} ${findingsView(page.findings)}`;
  const unit = { value: "weight", count: "rows" };
  return html`${head} ${findingsView(page.findings)} ${filesView(page, position, controller)}
    <h2 class="card" dir="auto">${card.file}</h2>
    ${factsView(card)} ${card.rows === 0 ? emptyView(page, card, controller) : nothing}
    <div class="columns">
      ${droppedView(card)} ${histogramView("Weights of the rows", unit, binsOf(card.histogram, 0))}
      ${groupsView("Rows by skill", "Skill", card.bySkill)}
      ${groupsView("Rows by correction", "Correction", card.byCorrection)}
      ${groupsView("Rows by signal family over 0", "Family", card.byFamily ?? [])}
      ${sourcesView(card, position, controller)}
    </div>
    ${samplesView(card, position, controller)}`;
}
