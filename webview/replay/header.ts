import { html, nothing, type TemplateResult } from "lit";
import { clip } from "../../src/model/clip.ts";
import { foreignNotice } from "../../src/model/domain-spec.ts";
import type { Episode } from "../../src/model/episode.ts";
import { stopReasonWords } from "../../src/model/stop-reasons.ts";
import { tellingLine } from "../../src/model/telling-line.ts";
import { count, dollars, literal, usageWords } from "../shared/format.ts";
import { shortTextView } from "../shared/clamp.ts";
import { icon } from "../shared/icon.ts";
import { termIfKnown } from "../shared/terms.ts";
import { treeView } from "./context-tree.ts";
import type { Controller } from "./controller.ts";
import { lineageView } from "./lineage.ts";
import { notesOf } from "./note-words.ts";
import { liveLook, RUNNING_LOOK } from "./live-view.ts";
import { facetsView } from "./facets-view.ts";
import { notesView } from "./notes-view.ts";
import { samplesView } from "./samples.ts";
import { valueOf, type ReplayState } from "./state.ts";
import { OUTCOME_LOOKS } from "./statuses.ts";
import { textLook, type TextLook } from "./text-look.ts";
import { outcomeReason, verdictsView } from "./verdicts.ts";

/** Characters of a program in one line. */
const LINE = 120;

/** A task that is the head of a program, without a fence around it. */
function isBareCode(question: string): boolean {
  const start = question.slice(0, 5_000);
  return /^(?:def|class) \w/m.test(start) && !/^ {0,3}(?:`{3}|~{3})/m.test(start);
}

/** A program in one line: the step that proposed it has the whole. */
function answerView(text: string, { formulas, code }: TextLook): TemplateResult {
  if (code) return html`<bdi class="code">${tellingLine(text, LINE)}</bdi>`;
  return html`<hasp-clamp
    .text=${text}
    .formulas=${formulas && "answer"}
    data-field="answer"
    lines="2"
    what="the answer"
  ></hasp-clamp>`;
}

function acceptedView(text: string, { formulas, code }: TextLook): unknown {
  if (code) return html`<span class="code">${tellingLine(text, LINE)}</span>`;
  return shortTextView(text, formulas && "answer", "an accepted answer");
}

/** Programs are judged by their tests: a question for one has no gold answer that would be missed. */
function goldView({ gold = [] }: Episode, texts: TextLook): unknown {
  if (gold.length === 0 && texts.code) return nothing;
  const accepted = gold.map(
    (text, i) =>
      html`${i > 0 ? html`<span class="quiet"> or </span>` : nothing}<bdi>${acceptedView(text, texts)}</bdi>`,
  );
  return html`<div>
    <dt>Gold</dt>
    <dd class="gold">${gold.length === 0 ? html`<span class="quiet">not known</span>` : accepted}</dd>
  </div>`;
}

function answers(episode: Episode, runs: boolean, texts: TextLook): TemplateResult {
  const none = html`<span class="quiet">${runs ? "not yet" : "none given"}</span>`;
  return html`<dl class="answers">
    <div>
      <dt>Answer</dt>
      <dd class="answer">${episode.answer === undefined ? none : answerView(episode.answer, texts)}</dd>
    </div>
    ${goldView(episode, texts)} ${verdictsView(episode)}
  </dl>`;
}

function fact(name: string, value: unknown): TemplateResult {
  return html`<dt>${name}</dt>
    <dd dir="auto">${value}</dd>`;
}

function library(episode: Episode): string {
  if (episode.library.length === 0) return "none";
  return episode.library.map((skill) => `${skill.skillId} v${skill.version}`).join(", ");
}

function stoppedView({ stopReason }: Episode): unknown {
  const words = stopReasonWords(stopReason);
  return words === stopReason ? stopReason : html`${words} <span class="quiet">(${stopReason})</span>`;
}

function about(episode: Episode): TemplateResult {
  const { facts } = episode;
  return html`<details class="about">
    <summary>About this episode</summary>
    <dl class="facts">
      ${fact("Episode", episode.id)} ${fact("Question id", episode.questionId)}
      ${fact("Source", episode.source)}
      ${fact("Domain", `${facts.domain}, ${facts.actionTypes.join(" · ")}, at most ${count(facts.maxSteps, "step")}`)}
      ${facts.searchReturnsText ? fact("Search", "returns text itself, which counts as read") : nothing}
      ${fact("Stopped", stoppedView(episode))} ${fact("Library then", library(episode))}
      ${episode.settings === undefined ? nothing : fact("Settings", treeView(episode.settings))}
      ${episode.cost === undefined ? nothing : fact("Cost", usageWords(episode.cost))}
      ${
        episode.prelude === undefined
          ? nothing
          : fact(
              "Given before",
              html`<hasp-clamp .text=${episode.prelude} lines="4" what="what was given before"></hasp-clamp>`,
            )
      }
      ${
        episode.extra === undefined
          ? nothing
          : fact(
              "Also in the file",
              html`<hasp-clamp
                .text=${literal(episode.extra, 20_000)}
                lines="4"
                what="the rest"
              ></hasp-clamp>`,
            )
      }
    </dl>
  </details>`;
}

/** Imported episodes have no setting. */
function settingView({ settings }: Episode): unknown {
  const { setting, triggers } = settings ?? {};
  if (setting === undefined) return nothing;
  return html`<span class="setting"><span class="quiet">setting</span> ${termIfKnown(setting)}</span>
    ${triggers === undefined ? nothing : html`<span><span class="quiet">triggers</span> <bdi>${clip(triggers, 80)}</bdi></span>`}`;
}

/** One quiet line for an episode whose domain is not registered. */
function domainView({ facts }: Episode, state: ReplayState): unknown {
  const { domains = [facts.domain] } = valueOf(state.run) ?? {};
  const notice = foreignNotice(facts.domain, domains);
  if (notice === undefined) return nothing;
  return html`<p class="quiet domain-notice">${icon("info")} <span dir="auto">${notice}</span></p>`;
}

/** The question, how it ended, and the answer beside the right one. */
export function headerView(episode: Episode, state: ReplayState, controller: Controller): TemplateResult {
  const look = liveLook(state) ?? OUTCOME_LOOKS[episode.outcome];
  const cost = episode.cost;
  const texts = textLook(state);
  const isBare = texts.code && isBareCode(episode.question);
  const notes = notesOf(valueOf(state.notes)?.notes ?? [], episode).filter(({ t }) => t === undefined);
  return html`<header class="episode-header">
    <div class="headline">
      <h1>
        <hasp-clamp
          .text=${episode.question}
          .formulas=${texts.formulas && "text"}
          .code=${isBare ? "value" : texts.code && "text"}
          class=${isBare ? "code" : nothing}
          data-field="question"
          lines=${texts.code ? 6 : 3}
          what="the question"
        ></hasp-clamp>
      </h1>
      <p class="figures">
        <span class="outcome" title=${outcomeReason(episode)}
          >${icon(look.icon, look.tone)} ${termIfKnown(look.label)}</span
        >
        ${samplesView(episode, state, controller)} ${settingView(episode)}
        <span>${count(episode.steps.length, "step")}</span>
        ${cost?.cost === undefined ? nothing : html`<span title=${usageWords(cost)}>${dollars(cost.cost)}</span>`}
      </p>
    </div>
    ${answers(episode, liveLook(state) === RUNNING_LOOK, texts)} ${domainView(episode, state)}
    ${lineageView(episode, state, controller)} ${notesView(notes, controller)}
    ${facetsView(state, controller)} ${about(episode)}
  </header>`;
}
