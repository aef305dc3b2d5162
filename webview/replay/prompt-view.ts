import { html, nothing, type TemplateResult } from "lit";
import type { Proposal, Step } from "../../src/model/episode.ts";
import { PROMPT_NOT_KEPT, type PromptMessage, type ReadPrompt } from "../../src/protocol/read-prompt.ts";
import { bytes, count, usageWords } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { term } from "../shared/terms.ts";
import type { Controller } from "./controller.ts";
import { detailSection } from "./detail-section.ts";
import { failureView } from "./notices.ts";
import { valueOf, type ReplayState } from "./state.ts";

const sizeOf = (messages: readonly PromptMessage[]): number =>
  messages.reduce((sum, { content }) => sum + new Blob([content]).size, 0);

function messageView({ role, content }: PromptMessage, position: number): TemplateResult {
  return html`<div class="message">
    <p class="message-role">${role}</p>
    <hasp-clamp .text=${content} lines="12" what="message ${position + 1}"></hasp-clamp>
  </div>`;
}

/** The oldest first; those that the policy had read before are folded. */
function messagesView({ messages, known }: Extract<ReadPrompt, { known: number }>): TemplateResult {
  const [earlier, later] = [messages.slice(0, known), messages.slice(known)];
  return html`${
    earlier.length === 0
      ? nothing
      : html`<details class="earlier">
          <summary>
            ${count(earlier.length, "message")} read before
            <span class="quiet">· ${bytes(sizeOf(earlier))}</span>
          </summary>
          ${earlier.map(messageView)}
        </details>`
  }
  ${later.length === 0 ? html`<p class="quiet">Nothing new: the policy read the same as before.</p>` : later.map((message, i) => messageView(message, known + i))}`;
}

function numbered(step: Step, i: number, body: unknown): TemplateResult {
  const last = step.proposals.length;
  return html`<div class="of-proposal">
    ${last > 1 ? html`<p class="proposal-number">Proposal ${i + 1} of ${last}</p>` : nothing} ${body}
  </div>`;
}

function promptView(step: Step, prompt: ReadPrompt, i: number): TemplateResult {
  const body = "missing" in prompt ? html`<p class="quiet">${prompt.missing}</p>` : messagesView(prompt);
  return numbered(step, i, body);
}

/** `7 messages, 2 new · 12.4 kB`: of the last proposal, whose prompt holds those before it. */
function extent(prompts: readonly ReadPrompt[] | undefined): string {
  const last = prompts?.at(-1);
  if (last === undefined || "missing" in last) return "";
  const fresh = last.messages.length - last.known;
  return `${count(last.messages.length, "message")}, ${fresh} new · ${bytes(sizeOf(last.messages))}`;
}

function promptsBody(state: ReplayState, step: Step, controller: Controller): unknown {
  if (step.proposals.every(({ messages }) => messages === undefined))
    return html`<p class="quiet">${PROMPT_NOT_KEPT}</p>`;
  if (state.index === undefined)
    return html`<p class="quiet">The messages are read when the episode has ended.</p>`;
  const { prompts } = state;
  if (prompts.state === "failed") return failureView(prompts.failure, controller);
  if (prompts.state !== "ready") return html`<p class="quiet">Reading the messages…</p>`;
  return prompts.value.map((prompt, i) => promptView(step, prompt, i));
}

/** All that the policy read before each proposal of the step. */
export function promptsView(state: ReplayState, step: Step, controller: Controller): TemplateResult {
  const isKept = step.proposals.some(({ messages }) => messages !== undefined);
  const tokens = step.proposals.at(-1)?.usage?.inputTokens;
  const read = tokens === undefined ? "" : `${tokens.toLocaleString("en")} tokens`;
  const extra = isKept ? [extent(valueOf(state.prompts)), read].filter((text) => text !== "") : ["not kept"];
  return detailSection("prompt", "Prompt", extra.join(" · "), promptsBody(state, step, controller), (open) =>
    controller.setPromptsOpen(open),
  );
}

function completionView({ completion, usage }: Proposal): TemplateResult {
  if (completion === undefined)
    return html`<p class="quiet">This record does not keep what the policy said word for word.</p>`;
  const { text, finish, rendered } = completion;
  return html`${finish === "length" ? html`<p class="cut-off">${icon("warning", "bad")} ${term("cut off")} at max tokens</p>` : nothing}
  ${rendered === true ? html`<p class="quiet">${term("rendered")}: no model said it</p>` : nothing}
  ${text === "" ? html`<p class="quiet">an empty reply</p>` : html`<hasp-clamp class="said" .text=${text} lines="12" what="the completion"></hasp-clamp>`}
  ${usage === undefined ? nothing : html`<p class="quiet">${usageWords(usage)}</p>`}`;
}

/** The policy's reply, before it was parsed into a thought and an action. */
export function completionsView(step: Step): TemplateResult {
  const said = step.proposals.flatMap(({ completion }) => completion ?? []);
  const marks = [
    said.length === 0 ? "not kept" : "",
    said.some(({ finish }) => finish === "length") ? "cut off at max tokens" : "",
    step.proposals.some(({ lenient }) => lenient === true) ? "read leniently" : "",
    said.some(({ rendered }) => rendered === true) ? "rendered" : "",
  ].filter((mark) => mark !== "");
  const body =
    said.length === 0
      ? completionView({ thought: "", action: step.executed })
      : step.proposals.map((proposal, i) => numbered(step, i, completionView(proposal)));
  return detailSection("completion", "Completion", marks.join(" · "), body);
}
