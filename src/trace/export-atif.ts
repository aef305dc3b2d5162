import type { Action } from "../model/action.ts";
import { AGENT } from "../model/domain-names.ts";
import { finalActionOf } from "../model/action-types.ts";
import type { Episode, Step } from "../model/episode.ts";
import type { Usage } from "../model/usage.ts";
import type { StoredPrompt } from "./message-reader.ts";
import { residueOf, unpackStep } from "./formats/atif-residue.ts";
import { argsOfAction } from "./formats/call-action.ts";
import { asRecord, asText, isRecord, type JsonRecord, recordsOf, without } from "./formats/records.ts";
import { wellFormed } from "./formats/well-formed.ts";

/**
 * The oldest version that has all that the documents use: readers take the versions up to theirs, and NVIDIA's take no newer one. What 1.8
 * added is audio.
 */
const ATIF_VERSION = "ATIF-v1.7";

/** One episode as an ATIF 1.7 document. Its texts are well-formed: `loneSurrogates` halves of characters became U+FFFD. */
export interface AtifExport {
  readonly document: JsonRecord;
  readonly loneSurrogates: number;
}

/**
 * An episode as an ATIF document. One that was imported from ATIF is given back as it was. Of any other, ATIF's own fields
 * tell what was said and done, and `extra.hasp` of the document and of each step holds all that HASP knows besides, so that
 * importing the document gives the same episode. `version` is that of HASP Studio, which ATIF asks for; `messages` are the stored ones
 * that the episode refers to, each after those that it needs.
 */
export function exportAtif(
  episode: Episode,
  version: string,
  messages: readonly StoredPrompt[] = [],
): AtifExport {
  const imported = asRecord(episode.extra?.["atif"]);
  const document = isRecord(imported["document"])
    ? importedDocument(episode, imported)
    : haspDocument(episode, version, messages);
  const { value, replaced } = wellFormed(document);
  if (replaced === 0) return { document: asRecord(value), loneSurrogates: 0 };
  const extra = asRecord(asRecord(value)["extra"]);
  const hasp = { ...asRecord(extra["hasp"]), loneSurrogates: replaced };
  return { document: { ...asRecord(value), extra: { ...extra, hasp } }, loneSurrogates: replaced };
}

function importedDocument(episode: Episode, imported: JsonRecord): JsonRecord {
  const steps: { at: number; step: JsonRecord }[] = recordsOf(imported["others"]).map(({ at, step }) => ({
    at: Number(at),
    step: asRecord(step),
  }));
  episode.steps.forEach((step, t) => {
    const residue = residueOf(step);
    if (residue === undefined) return;
    const next = episode.steps.findIndex((later, i) => i > t && residueOf(later) !== undefined);
    const made = episode.steps.slice(t, next === -1 ? undefined : next);
    steps.push({ at: residue.at, step: withHasp(unpackStep(residue, made), made) });
  });
  const inOrder = steps.toSorted((a, b) => a.at - b.at).map(({ step }) => step);
  return { ...asRecord(imported["document"]), steps: inOrder };
}

/** Adds what HASP did at imported steps, the verdicts on their answers included; nothing where it did nothing. */
function withHasp(step: JsonRecord, made: readonly Step[]): JsonRecord {
  const did = made.some(
    ({ events, injected, proposals }) =>
      events.length + injected.length > 0 ||
      proposals.length > 1 ||
      proposals.some(({ verdicts }) => verdicts !== undefined),
  );
  if (!did) return step;
  const steps = made.map(({ t, events, injected, proposals }) => ({ t, events, injected, proposals }));
  return { ...step, extra: { ...asRecord(step["extra"]), hasp: { steps } } };
}

function haspDocument(episode: Episode, version: string, messages: readonly StoredPrompt[]): JsonRecord {
  const groups = groupsOf(episode.steps);
  const before: JsonRecord[] = [
    ...(episode.prelude === undefined ? [] : [{ source: "system", message: episode.prelude }]),
    { source: "user", message: episode.question },
  ];
  const steps = [...before, ...groups.map((made) => agentStep(made, episode))];
  const model = asText(episode.settings?.["model"]) ?? asText(episode.settings?.["policy"]);
  const own = episode.facts.domain === AGENT ? "unknown" : version;
  return {
    schema_version: ATIF_VERSION,
    // Of the run: an agent that another one called, and a branch, are of its.
    session_id: episode.origin?.episode ?? episode.id,
    trajectory_id: episode.id,
    agent: {
      name: asText(episode.settings?.["agent"]) ?? episode.source,
      version: asText(episode.settings?.["agentVersion"]) ?? own,
      ...(model === undefined ? {} : { model_name: model }),
    },
    steps: steps.map((step, i) => ({ step_id: i + 1, ...step })),
    final_metrics: { ...totals(episode.cost), total_steps: steps.length },
    extra: { hasp: { ...without({ ...episode }, ["steps"]), ...(messages.length > 0 && { messages }) } },
  };
}

/** Steps whose actions were called for together are one step in ATIF. */
function groupsOf(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    const turn = step.extra?.["turn"];
    if (last !== undefined && turn !== undefined && last[0]?.extra?.["turn"] === turn) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** An action that is words and no call: an answer, or text that no tool was called with. */
function isWords({ type }: Action, { facts }: Episode): boolean {
  return type === finalActionOf(facts) || type === "other" || type === "invalid";
}

function agentStep(made: readonly Step[], episode: Episode): JsonRecord {
  const [first] = made;
  if (first === undefined) return { source: "agent", message: "" };
  const thought = first.proposals.at(-1)?.thought ?? "";
  const words = made.length === 1 && isWords(first.executed, episode);
  const said =
    first.executed.type === finalActionOf(episode.facts)
      ? first.executed.arg
      : (first.executed.raw ?? first.executed.arg);
  const results = made.flatMap((step) => resultsOf(step, words ? undefined : callId(step)));
  const calls = made.map((step) => ({
    tool_call_id: callId(step),
    function_name: step.executed.type,
    arguments: argumentsOf(step.executed, episode),
  }));
  const usages = made.flatMap(({ proposals }) =>
    proposals.flatMap(({ usage }) => (usage === undefined ? [] : [usage])),
  );
  const timestamp = isoTime(first.extra?.["timestamp"]);
  return {
    source: "agent",
    ...(timestamp === undefined ? {} : { timestamp }),
    message: words ? said : thought,
    ...(words && thought !== "" ? { reasoning_content: thought } : {}),
    ...(words ? {} : { tool_calls: calls }),
    ...(results.length === 0 ? {} : { observation: { results } }),
    ...(usages.length === 0 ? {} : { metrics: metricsOf(usages) }),
    ...(first.proposals.length > 1 ? { llm_call_count: first.proposals.length } : {}),
    extra: { hasp: { steps: made.map((step) => without({ ...step }, ["observation"])) } },
  };
}

function argumentsOf(action: Action, episode: Episode): JsonRecord {
  return episode.facts.domain === AGENT ? argsOfAction(action) : { arg: action.arg };
}

/** Unique in the document, whatever ids the calls had. */
function callId(step: Step): string {
  const given = asText(step.extra?.["callId"]);
  return given === undefined ? `step_${step.t + 1}` : `step_${step.t + 1}_${given}`;
}

/** What the agent read after a step: what the environment answered, then each text that a Program Function added. */
function resultsOf(step: Step, id: string | undefined): JsonRecord[] {
  const to = id === undefined ? {} : { source_call_id: id };
  const observed = step.observation === "" ? [] : [{ ...to, content: step.observation }];
  const added = step.injected.map(({ skillId, text }) => ({
    ...to,
    content: text,
    extra: { hasp: { injectedBy: skillId } },
  }));
  return [...observed, ...added];
}

function metricsOf(usages: readonly Usage[]): JsonRecord {
  const costs = usages.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  return {
    prompt_tokens: usages.reduce((sum, usage) => sum + usage.inputTokens, 0),
    completion_tokens: usages.reduce((sum, usage) => sum + usage.outputTokens, 0),
    ...(costs.length === 0 ? {} : { cost_usd: costs.reduce((sum, cost) => sum + cost, 0) }),
  };
}

function totals(cost: Usage | undefined): JsonRecord {
  if (cost === undefined) return {};
  return {
    total_prompt_tokens: cost.inputTokens,
    total_completion_tokens: cost.outputTokens,
    ...(cost.cost === undefined ? {} : { total_cost_usd: cost.cost }),
  };
}

/** Only what every reader of ISO 8601 takes. */
function isoTime(value: unknown): string | undefined {
  const text = asText(value);
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)?$/;
  return text !== undefined && form.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}
