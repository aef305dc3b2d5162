import { DEFAULT_CONTROL, type Control } from "../../src/model/control.ts";
import type { LibrarySkill } from "../../src/harness/select/select.ts";
import { factsOf } from "../../src/harness/run-questions.ts";
import { runEpisode, type EpisodeTask } from "../../src/harness/loop.ts";
import type { Environment, Policy } from "../../src/harness/policy.ts";
import { scriptedPolicy, type ScriptedStep } from "../../src/harness/scripted-policy.ts";
import { webSearch } from "../../src/domains/web-search/web-search.ts";
import { DEFAULT_SAMPLING } from "../../src/model/sampling.ts";
import type { Action } from "../../src/model/action.ts";
import type { Episode } from "../../src/model/episode.ts";
import { exactMatchJudge, type Judge as AnswerJudge } from "../../src/scoring/judge.ts";
import type { PfHost, PfVerdict } from "../../src/sandbox/pf-host.ts";
import { FRESH_STATE } from "../../src/sandbox/pf-host.ts";
import { foldEvents } from "../../src/trace/live-fold.ts";
import { LIVE_SCHEMA, type LiveEvent, type Started } from "../../src/trace/live-events.ts";

export const search = (arg: string): Action => ({ type: "SEARCH", arg });
export const read = (arg: string): Action => ({ type: "READ", arg });
export const final = (arg: string): Action => ({ type: "FINAL", arg });

/** An environment that has something for every action. */
export const plentiful: Environment = {
  actionTypes: ["SEARCH", "READ", "FINAL"],
  searchReturnsText: false,
  execute: async (action) => ({ observation: `${action.type} brought ${action.arg}` }),
};

type Judge = (
  asked: Parameters<PfHost["step"]>[1],
  ask: Parameters<PfHost["step"]>[2],
) => Promise<PfVerdict[]> | PfVerdict[];

/** A host whose PFs are one function of the test; what it is asked stays in `asked`. */
export function hostOf(
  judge: Judge = () => [],
): PfHost & { readonly asked: Parameters<PfHost["step"]>[1][] } {
  const asked: Parameters<PfHost["step"]>[1][] = [];
  const never = (): never => {
    throw new Error("The loop only steps.");
  };
  return {
    asked,
    async step(_states, question, ask) {
      // These PFs look at proposals alone.
      if (question.pass === "post") return [];
      asked.push(question);
      return judge(question, ask);
    },
    load: async () => [],
    fold: never,
    mock: never,
    votes: async (skillIds) => skillIds.map((skillId) => ({ skillId, kind: "none" as const })),
    probe: never,
    close: async () => undefined,
  };
}

export const injects = (skillId: string, contextText: string): PfVerdict => ({
  skillId,
  state: FRESH_STATE,
  kind: "fired",
  intervention: { type: "INJECT_CONTEXT", contextText, reason: "test" },
  teacherCalls: [],
});

export const modifiesTo = (skillId: string, newActionType: string, newActionArg: string): PfVerdict => ({
  skillId,
  state: FRESH_STATE,
  kind: "fired",
  intervention: { type: "MODIFY_ACTION", newActionType, newActionArg, reason: "test" },
  teacherCalls: [],
});

export const skips = (skillId: string): PfVerdict => ({ skillId, state: FRESH_STATE, kind: "skipped" });

export interface Played {
  readonly script?: readonly ScriptedStep[];
  readonly policy?: Policy;
  readonly environment?: Environment;
  readonly host?: PfHost;
  /** In place of exact match. */
  readonly judge?: AnswerJudge;
  /** Over `TEST_CONTROL`. */
  readonly control?: Partial<Control>;
  readonly gold?: readonly string[];
  readonly signal?: AbortSignal;
  readonly teacher?: EpisodeTask["teacher"];
  readonly library?: readonly LibrarySkill[];
  readonly question?: string;
  readonly conversation?: EpisodeTask["conversation"];
  readonly prefix?: EpisodeTask["prefix"];
}

/** Skills judge every question, and an answer stands as it is given: tests of the loop alone need no more. */
export const TEST_CONTROL: Control = {
  ...DEFAULT_CONTROL,
  enableDifficultyGating: false,
  enableRetry: false,
  enableAnswerFormatting: false,
  pfTopK: 100,
};

/** A skill of which a test needs no more than its id. */
export function librarySkill(skillId: string, more: Partial<LibrarySkill["skill"]> = {}): LibrarySkill {
  const priority = more.priority ?? 0.5;
  return {
    promptOnly: false,
    program: { skillId, priority },
    skill: {
      skillId,
      name: skillId.replaceAll("_", "-"),
      description: "A skill of a test.",
      title: skillId,
      version: 1,
      priority,
      errorCategory: skillId,
      applicableModes: ["all"],
      applicablePhases: ["think"],
      systemSummary: `Summary of ${skillId}.`,
      phases: {},
      supersedes: [],
      body: "",
      ...more,
    },
  };
}

/** What a run takes besides: greedy samples, messages that are not kept, exact match, and nothing to hide. */
export const PLAIN_RUN = {
  sampling: DEFAULT_SAMPLING,
  messages: { conversation: () => ({ read: () => "m1" }), settled: async () => undefined },
  redact: (text: string) => text,
  judge: { ...exactMatchJudge, close: async () => undefined },
};

/** One episode in memory, folded as the run folder would fold it. */
export async function play(played: Played): Promise<Episode> {
  const library = played.library ?? [];
  const pinnedSkills = library.map(({ skill }) => skill.skillId);
  const control = { ...TEST_CONTROL, pinnedSkills, ...played.control };
  const environment = played.environment ?? plentiful;
  const facts = factsOf(webSearch, environment, control.maxSteps);
  const question = { id: "q1", question: played.question ?? "Who was it?", gold: played.gold };
  const { sampling, messages, redact } = PLAIN_RUN;
  const conversation = played.conversation ?? messages.conversation();
  const events: LiveEvent[] = [];
  const task: EpisodeTask = {
    question,
    sample: 1,
    sampling,
    conversation,
    redact,
    policy: played.policy ?? scriptedPolicy("scripted", () => played.script ?? []),
    environment,
    host: played.host ?? hostOf(),
    library,
    facts,
    domain: webSearch,
    judge: played.judge ?? PLAIN_RUN.judge,
    control,
    ...(played.teacher !== undefined && { teacher: played.teacher }),
    prefix: played.prefix,
  };
  const record = (event: LiveEvent): void => void events.push(event);
  const end = await runEpisode(task, { record }, played.signal ?? new AbortController().signal);
  const started: Started = {
    schema: LIVE_SCHEMA,
    event: "started",
    id: "e1",
    questionId: "q1",
    sample: 1,
    question: question.question,
    source: "hasp",
    facts,
    settings: { teacher: played.teacher?.id ?? "none", control },
    library: library.map(({ skill: { skillId, version } }) => ({ skillId, version, hash: "" })),
    ...(played.gold !== undefined && { gold: [...played.gold] }),
  };
  return foldEvents(started, [...events, { event: "finished", ...end }]);
}
