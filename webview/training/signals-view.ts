import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { FAMILIES, FAMILY_SLOTS, ONLY_FINAL_NOTE, type SignalFamily } from "../../src/model/signals.ts";
import { canOnlyAnswer, REWARD_FLOOR, type SignalsReport } from "../../src/model/signals-report.ts";
import type { SignalsPage, SkillStep } from "../../src/protocol/training.ts";
import { count } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { histogramView, signedBar } from "./bars.ts";
import type { TrainingController } from "./controller.ts";
import {
  binsOf,
  decimal,
  meanOf,
  meanReward,
  share,
  SKILL_COLUMNS,
  sortedSkills,
  type PlacedSkill,
  type SkillColumn,
  type Sorting,
} from "./model.ts";
import { findingsView, helpButton } from "./notices.ts";

const FAMILY_MEANINGS: Readonly<Record<SignalFamily, string>> = {
  timing: "S1: did a Program Function activate where the step was risky, and only there?",
  modality: "S2: how HASP intervened: a change of the action, or a context.",
  correctness: "S3: is the executed action valid and sensible?",
  outcome: "S4: did the change help, and did the episode end with a right answer?",
};

const COLUMNS: Readonly<Record<SkillColumn, { readonly label: string; readonly meaning: string }>> = {
  skill: {
    label: "Skill",
    meaning: "The skill whose Program Function changed an action or added a context.",
  },
  steps: { label: "Steps", meaning: "Steps at which the skill acted." },
  over: {
    label: `A ≥ ${REWARD_FLOOR}`,
    meaning: "Share of these steps with a reward of at least the floor.",
  },
  timing: { label: "Timing", meaning: `Mean of ${FAMILY_MEANINGS.timing}` },
  modality: { label: "Modality", meaning: `Mean of ${FAMILY_MEANINGS.modality}` },
  correctness: { label: "Correct.", meaning: `Mean of ${FAMILY_MEANINGS.correctness}` },
  outcome: { label: "Outcome", meaning: `Mean of ${FAMILY_MEANINGS.outcome}` },
  mean: { label: "Mean A", meaning: "Mean reward of these steps." },
  modified: { label: "Modified", meaning: "Steps whose action the skill changed." },
};

function familiesView({ all }: SignalsReport): TemplateResult {
  const rows = [
    ...FAMILIES.map((family) => ({
      name: family,
      title: FAMILY_MEANINGS[family],
      mean: meanOf(all, family),
    })),
    { name: "mean A", title: "Mean reward of all steps", mean: meanReward(all) },
  ];
  return html`<section aria-label="Means of the families">
    <h2>Means of the families</h2>
    <table class="bars">
      <thead class="for-readers">
        <tr>
          <th scope="col">family</th>
          <th scope="col">bar</th>
          <th scope="col">mean</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ name, title, mean }) =>
            html`<tr>
              <th scope="row" class="name" title=${title}>${name}</th>
              <td class="wide">${signedBar(mean)}</td>
              <td class="number">${decimal(mean)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function headCell(column: SkillColumn, sorting: Sorting, controller: TrainingController): TemplateResult {
  const { label, meaning } = COLUMNS[column];
  const isSorted = sorting.column === column;
  const order = sorting.descending ? "descending" : "ascending";
  const isName = column === "skill";
  // The arrow has its place also where it is hidden: nothing moves under the pointer, and heads of numbers end where the numbers do.
  const arrow = icon(isSorted && !sorting.descending ? "arrow-up" : "arrow-down", isSorted ? "" : "hidden");
  return html`<th scope="col" class=${isName ? "" : "number"} aria-sort=${isSorted ? order : "none"}>
    <button
      type="button"
      class="sort"
      title="${meaning} Press to sort."
      @click=${() => controller.sortBy(column)}
    >
      ${isName ? nothing : arrow}${label}${isName ? arrow : nothing}
    </button>
  </th>`;
}

/** A long name breaks behind its underscores. */
function breakable(name: string): unknown {
  return name.split(/(?<=_)/).map((part) => html`${part}<wbr />`);
}

function skillRow({ skill, position }: PlacedSkill, controller: TrainingController): TemplateResult {
  const { skillId, steps, overFloor, modified, best, worst } = skill;
  const slots = (family: SignalFamily): string =>
    FAMILY_SLOTS[family].map((slot) => `${slot} ${decimal(skill.slots[slot] / steps)}`).join(" · ");
  const link = (step: SkillStep, { episode, t }: { episode: string; t: number }): TemplateResult =>
    html`<button
      type="button"
      class="link"
      dir="auto"
      title="${episode}, step ${t + 1}: the ${step} step of ${skillId}. Press to open it in the replay."
      @click=${() => controller.openSkillStep(position, step)}
    >
      step ${t + 1} · ${episode}
    </button>`;
  return html`<tr>
    <th scope="row" dir="auto">${breakable(skillId)}</th>
    <td class="number">${steps.toLocaleString("en")}</td>
    <td class="number">${share(overFloor, steps)}</td>
    ${FAMILIES.map(
      (family) => html`<td class="number" title=${slots(family)}>${decimal(meanOf(skill, family))}</td>`,
    )}
    <td class="number"><strong>${decimal(meanReward(skill))}</strong></td>
    <td class="number">${modified.toLocaleString("en")}</td>
    <td class="place">${link("best", best)}</td>
    <td class="place">${link("worst", worst)}</td>
  </tr>`;
}

function skillsView(
  { skills }: SignalsReport,
  sorting: Sorting,
  controller: TrainingController,
): TemplateResult {
  if (skills.length === 0)
    return html`<section aria-label="By skill">
      <h2>By skill</h2>
      <p class="empty">
        No skill changed an action or added a context in this run: it was recorded without skills, or none of
        them acted. A run with skills has a row here for each that did.
      </p>
    </section>`;
  return html`<section aria-label="By skill">
    <h2>By skill</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Signals by skill">
      <table class="figures skills">
        <thead>
          <tr>
            ${SKILL_COLUMNS.map((column) => headCell(column, sorting, controller))}
            <th scope="col">Best step</th>
            <th scope="col">Worst step</th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            sortedSkills(skills, sorting),
            ({ position }) => position,
            (placed) => skillRow(placed, controller),
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function notesView(report: SignalsReport): TemplateResult {
  const { episodes, unjudged, diverged, behindDivergence, all, modified, revised, judged } = report;
  const { sum, episodes: rewarded } = report.episodeReward;
  return html`<ul class="notes">
    <li>
      ${count(episodes, "episode")}, ${count(all.steps, "measured step")}: ${modified.toLocaleString("en")}
      modified, ${revised.toLocaleString("en")} revised
    </li>
    <li>
      ${all.overFloor.toLocaleString("en")} steps (${share(all.overFloor, all.steps)}) reach the reward floor
      ${REWARD_FLOOR}
    </li>
    ${rewarded === 0 ? nothing : html`<li>Mean episode reward ${decimal(sum / rewarded)}</li>`}
    ${unjudged === 0 ? nothing : html`<li>${count(unjudged, "episode")} without a verdict: the outcome counts as 0</li>`}
    ${
      diverged === 0
        ? nothing
        : html`<li>
            ${count(diverged, "episode")} diverged from the record: ${count(behindDivergence, "step")} behind
            are left out
          </li>`
    }
    ${canOnlyAnswer(report) ? html`<li>${ONLY_FINAL_NOTE}</li>` : nothing}
    ${
      judged < all.steps
        ? html`<li>
            A teacher judged s3.semantic of ${judged.toLocaleString("en")} of ${count(all.steps, "step")}; the
            others have the fallback
          </li>`
        : nothing
    }
  </ul>`;
}

/** The signals of a run: means, rewards, and a table by skill. */
export function signalsView(
  { title, report, findings }: SignalsPage,
  sorting: Sorting,
  controller: TrainingController,
): TemplateResult {
  const unit = { value: "reward", count: "steps" };
  return html`<header>
      <h1 dir="auto">Signals of ${title}</h1>
      <div class="buttons">${helpButton(controller)}</div>
    </header>
    ${notesView(report)} ${findingsView(findings)}
    <div class="columns">
      ${familiesView(report)} ${histogramView("Rewards of the steps", unit, binsOf(report.bins, -1))}
    </div>
    ${skillsView(report, sorting, controller)}`;
}
