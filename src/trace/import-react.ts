import type { Action } from "../model/action.ts";
import { FINAL, READ, SEARCH } from "../model/action-types.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { EPISODE_SCHEMA, type DomainFacts, type Episode, type Outcome, type Step } from "../model/episode.ts";
import { WEB_SEARCH } from "../model/domain-names.ts";
import { readJson } from "../model/read-json.ts";
import { z } from "../model/zod.ts";
import { firstIssue } from "./episode-head.ts";
import { hashText } from "./hash.ts";
import { lineDiagnostic } from "./line-diagnostics.ts";
import type { TextLine } from "./text-lines.ts";
import { stripVerdicts } from "./verdict.ts";

const FORMATS = ["reflexion", "fireact"] as const;
type ReactFormat = (typeof FORMATS)[number];

const text = z.string().nullish();
const rowSchema = z.object({
  source: z.enum(FORMATS),
  id: text,
  question: z.string().min(1),
  gold: text,
  status: z.enum(["correct", "incorrect", "halted"]),
  strategy: text,
  // What the agent was given of its earlier tries at the question: written before this episode (docs/formats.md).
  reflection: text,
  trial: z.number().int().nonnegative().nullish().catch(null),
  model: text,
  hotpot_dev_idx: z.number().int().nullish(),
  steps: z.array(z.object({ thought: text, action: text, arg: text, action_raw: text, observation: text })),
});
type Row = z.infer<typeof rowSchema>;
type RowStep = Row["steps"][number];

const OUTCOMES: Record<Row["status"], Outcome> = { correct: "correct", incorrect: "wrong", halted: "halted" };
const ACTION_TYPES: ReadonlyMap<string, string> = new Map([
  ["search", SEARCH],
  ["lookup", READ],
  ["finish", FINAL],
]);

/** What was so for every episode of a file, whatever became of it (docs/formats.md gives the reasons). */
const FACTS: Record<ReactFormat, DomainFacts> = {
  reflexion: {
    domain: WEB_SEARCH,
    actionTypes: [SEARCH, READ, FINAL],
    searchReturnsText: true,
    maxSteps: 6,
  },
  fireact: { domain: WEB_SEARCH, actionTypes: [SEARCH, FINAL], searchReturnsText: true, maxSteps: 10 },
};

/** Makes episodes of the lines of one file; it remembers the ids, so that each is given once. */
export type LineImporter = (line: TextLine) => Checked<Episode>;

/**
 * Importer for the public ReAct trajectories of Reflexion or FireAct in their common layout. The judgement becomes the
 * episode's outcome and is removed from every other text; fields that tell it in another way (`em`, `f1`, `pred`,
 * `also_listed_in_trials`) are not taken over. `file` names the place in diagnostics.
 */
export function lineImporter(format: ReactFormat, file: string): LineImporter {
  const seen = new Map<string, number>();
  return ({ line, text: source }) => {
    const row = source === undefined ? "the line is too long to read" : parseRow(source, format);
    if (typeof row === "string") return { value: undefined, diagnostics: [badRow(file, line, format, row)] };
    const episode = episodeOf(row);
    const times = (seen.get(episode.id) ?? 0) + 1;
    seen.set(episode.id, times);
    if (times === 1) return { value: episode, diagnostics: [] };
    const id = `${episode.id}~${times}`;
    return { value: { ...episode, id }, diagnostics: [repeated(file, line, episode.id, id)] };
  };
}

/** The row, or what is wrong with it. */
function parseRow(source: string, format: ReactFormat): Row | string {
  const { value, problem } = readJson(source);
  if (problem !== undefined) return problem.kind === "syntax" ? "it is not complete JSON" : problem.why;
  const parsed = rowSchema.safeParse(stripVerdicts(value));
  if (!parsed.success) return firstIssue(parsed.error);
  if (parsed.data.source !== format) return `its \`source\` is "${parsed.data.source}"`;
  return parsed.data;
}

function episodeOf(row: Row): Episode {
  const facts = FACTS[row.source];
  const steps = row.steps.map(stepOf);
  const final = steps.findLast((step) => step.executed.type === FINAL);
  const settings = compact({ strategy: row.strategy, model: row.model });
  return {
    schema: EPISODE_SCHEMA,
    id: row.id || `${row.source}-${hashText(JSON.stringify(row))}`,
    questionId: `q-${hashText(row.question)}`,
    sample: row.trial ?? 1,
    outcome: OUTCOMES[row.status],
    length: steps.length,
    question: row.question,
    source: row.source,
    facts,
    ...(settings === undefined ? {} : { settings }),
    library: [],
    ...(row.reflection ? { prelude: row.reflection } : {}),
    steps,
    ...(final === undefined ? {} : { answer: final.executed.arg }),
    ...(row.gold ? { gold: [row.gold] } : {}),
    stopReason: final !== undefined ? "final" : steps.length >= facts.maxSteps ? "max_steps" : "halted",
    ...(typeof row.hotpot_dev_idx === "number" ? { extra: { hotpotDevIndex: row.hotpot_dev_idx } } : {}),
  };
}

function compact(values: Record<string, unknown>): Record<string, unknown> | undefined {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function stepOf(step: RowStep, t: number): Step {
  const action = actionOf(step);
  const observation = step.observation ?? "";
  return {
    t,
    proposals: [{ thought: step.thought ?? "", action }],
    events: [],
    executed: action,
    injected: [],
    observation,
  };
}

/** Text that is no action is kept as a live step keeps it, so that Program Functions see the same in both. */
function actionOf({ thought, action, arg, action_raw }: RowStep): Action {
  const raw = action_raw ?? "";
  if (typeof action !== "string" || action.trim() === "" || typeof arg !== "string") {
    const reply = raw.trim() === "" ? (thought ?? "") : raw;
    return { type: "invalid", arg: reply, raw: reply };
  }
  const type = ACTION_TYPES.get(action.trim().toLowerCase());
  return type === undefined ? { type: "other", arg, raw: raw || `${action}[${arg}]` } : { type, arg };
}

function badRow(file: string, line: number, format: ReactFormat, problem: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP530",
    file,
    line,
    message: `this is no ${format} trajectory: ${problem}.`,
    next: "Check the format named with --from, or repair the line; the others are imported without it.",
  });
}

function repeated(file: string, line: number, id: string, renamed: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP531",
    severity: "warning",
    file,
    line,
    message: `the id ${JSON.stringify(id)} was used before in this file; this episode is imported as ${JSON.stringify(renamed)}.`,
    next: "Check whether the episode stands in the file twice.",
  });
}
