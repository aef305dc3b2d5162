import { FAILURE_PATTERNS, type FailurePattern } from "../model/failure-pattern.ts";
import {
  type ArrivalChecks,
  flag,
  kept,
  nothing,
  nullable,
  object,
  oneOf,
  optional,
  position,
  text,
} from "./check.ts";
import { helpPlace } from "./help-check.ts";
import type { EpisodePlace, ReplayHost, ReplayView } from "./replay.ts";

const PATTERNS = Object.keys(FAILURE_PATTERNS) as FailurePattern[];
const STEP_COMMANDS = [
  "newSkillFromStep",
  "addStepAsCase",
  "debugPf",
  "branchFromHere",
  "judgeWithRunSkills",
  "judgeWithTodaysSkills",
] as const;
const FILLERS = ["openSample", "runQuestions", "importEpisodes"] as const;

type Params<M extends keyof ReplayHost["requests"]> = ReplayHost["requests"][M]["params"];

/** Checks of everything that arrives from a replay view. */
export const FROM_REPLAY: ArrivalChecks<ReplayView, ReplayHost> = {
  requests: {
    open: object({}),
    readEpisode: object({ index: position }),
    stepContext: object({ index: position, t: position }),
    messages: object({ index: position, t: position, proposal: position }),
    signals: object({ index: position }),
    judgeEpisode: object({ index: position }),
    judgeStep: object({ index: position, t: position }),
    openSource: object<Params<"openSource">>({ skillId: text, line: optional(position) }),
    fillRun: object({ with: oneOf(FILLERS) }),
    openLog: object({}),
    openHelp: helpPlace,
    readNotes: object({}),
    addNote: object<Params<"addNote">>({
      index: position,
      t: optional(position),
      kind: text,
      text: optional(text),
    }),
    removeNote: object({ id: text }),
    readFacets: object({ from: position, count: position, today: flag }),
    searchEpisodes: object({ query: text, from: position }),
    comparableRuns: object({}),
    compareRuns: object({ run: text, measured: flag }),
    comparableEpisodes: object({ index: position }),
    compareEpisodes: object({ index: position, other: object<EpisodePlace>({ run: text, index: position }) }),
    stepCommand: object<Params<"stepCommand">>({
      command: oneOf(STEP_COMMANDS),
      index: position,
      t: position,
      skillId: optional(text),
    }),
    newSkillFromPattern: object<Params<"newSkillFromPattern">>({
      pattern: oneOf(PATTERNS),
      index: optional(position),
    }),
    openEpisode: object({ run: text, index: position, t: position }),
  },
  events: {
    ready: nothing,
    position: nullable(object({ index: position, t: position })),
    followLive: nullable(object({ id: text })),
    keep: object({ state: kept }),
  },
};
