import { MAX_MODIFY_FIRES } from "./skill.ts";
import { z } from "./zod.ts";
import { DEFAULT_BUDGETS, type Budgets } from "./budgets.ts";

/** Characters of PF contexts that one step may add to the prompt. The paper gives no number; 6,000 are about 1,500 tokens. */
export const CONTEXT_BUDGET = 6_000;

/** Where a knob stands in `hasp.yaml`. */
export const KNOB_GROUPS = ["switches", "selection", "runtime", "budgets"] as const;
export type KnobGroup = (typeof KNOB_GROUPS)[number];

interface Common {
  /** Its name in `hasp.yaml`, in `--set` and in the paper, where that names it. */
  readonly name: string;
  readonly group: KnobGroup;
  readonly about: string;
}
/** A yes or no. */
export interface Flag extends Common {
  readonly kind: "flag";
  readonly fallback: boolean;
}
/** A number; `whole` where only whole numbers make sense. */
export interface Dial extends Common {
  readonly kind: "dial";
  readonly fallback: number;
  readonly whole: boolean;
  readonly least: number;
  readonly most: number;
}
export type Knob = Flag | Dial;

const flag = (name: string, group: KnobGroup, fallback: boolean, about: string): Flag => ({
  kind: "flag",
  name,
  group,
  fallback,
  about,
});

const count = (
  name: string,
  group: KnobGroup,
  [least, fallback, most]: readonly [number, number, number],
  about: string,
): Dial => ({ kind: "dial", name, group, fallback, whole: true, least, most, about });

const amount = (
  name: string,
  group: KnobGroup,
  [least, fallback, most]: readonly [number, number, number],
  about: string,
): Dial => ({ kind: "dial", name, group, fallback, whole: false, least, most, about });

/**
 * Every switch, threshold and budget of the harness (SPEC §4): the settings file, `--set`, its documentation and its completion are
 * all made from this table. Where the paper gives a number it is the default; the others are ours (docs/settings.md says why).
 */
export const KNOBS = {
  skillsEnabled: flag("skills_enabled", "switches", true, "Skills take part at all."),
  enableProgramFunctions: flag(
    "enable_program_functions",
    "switches",
    true,
    "Program Functions judge each proposed action.",
  ),
  enableSkillHandlers: flag(
    "enable_skill_handlers",
    "switches",
    true,
    "Handlers vote on each FINAL that would stand.",
  ),
  enablePromptOnlySkills: flag(
    "enable_prompt_only_skills",
    "switches",
    true,
    "Skills that a prompt could replace (no handler, fixed texts) take part.",
  ),
  pfOnlyMode: flag(
    "pf_only_mode",
    "switches",
    false,
    "Nothing asks the teacher; handlers that need one are skipped.",
  ),
  promptOnlyMode: flag(
    "prompt_only_mode",
    "switches",
    false,
    "Every skill takes part as text, without a limit: its summary, its phase instructions, the fixed texts of its Program Function.",
  ),
  enableTeacher: flag(
    "enable_teacher",
    "switches",
    true,
    "The teacher may be asked, where one is configured.",
  ),
  enableDifficultyGating: flag(
    "enable_difficulty_gating",
    "switches",
    true,
    "Questions that the teacher rates below the difficulty threshold run without skills.",
  ),
  enableAnswerFormatting: flag(
    "enable_answer_formatting",
    "switches",
    true,
    "The teacher brings a final answer into the form that the question asks for, if the domain has one; else the answer is given as it is.",
  ),
  enableRetry: flag(
    "enable_retry",
    "switches",
    true,
    "An answer that the teacher rejects is followed by another round.",
  ),
  difficultyThreshold: count(
    "difficulty_threshold",
    "selection",
    [1, 2, 5],
    "Questions that score lower, from 1 (easy) to 5, go without skills.",
  ),
  pfTopK: count(
    "pf_top_k",
    "selection",
    [1, 10, 100],
    "Program Functions that the teacher selects for one question; without a teacher, every one is asked.",
  ),
  maxSkillsInPrompt: count(
    "max_skills_in_prompt",
    "selection",
    [0, 8, 100],
    "Skills whose summary stands in the system prompt.",
  ),
  maxPhaseInstructions: count(
    "max_phase_instructions",
    "selection",
    [0, 1, 20],
    "Phase instructions that the policy reads before one proposal, less the contexts that came with the observation or hold its answer back.",
  ),
  preFinalStepThreshold: count(
    "pre_final_step_threshold",
    "selection",
    [0, 2, 100],
    "Steps completed before pre_final instructions are shown.",
  ),
  highPriorityThreshold: amount(
    "high_priority_threshold",
    "selection",
    [0, 1.1, 2],
    "A phase instruction whose priority and boost sum to this or more is shown beyond the number above.",
  ),
  maxModifyFires: count(
    "max_modify_fires",
    "runtime",
    [0, MAX_MODIFY_FIRES, 1000],
    "MODIFY_ACTION fires of one Program Function in an episode; its own maxFires overrides it.",
  ),
  maxContexts: count(
    "max_contexts",
    "runtime",
    [0, 20, 100],
    "Contexts that one step may add to the prompt.",
  ),
  contextBudget: count(
    "context_budget",
    "runtime",
    [0, CONTEXT_BUDGET, 100_000],
    "Characters of contexts that one step may add to the prompt.",
  ),
  handlerVoteThreshold: count(
    "handler_vote_threshold",
    "runtime",
    [0, 4, 100],
    "A FINAL becomes a SEARCH when more handlers than this vote for it; where no action is a SEARCH, it stands.",
  ),
  maxFinalOverrides: count(
    "max_final_overrides",
    "runtime",
    [0, 1, 10],
    "FINALs that handlers may turn into a SEARCH in one episode.",
  ),
  maxRounds: count("max_rounds", "runtime", [1, 2, 10], "Rounds of one episode: the first, and its retries."),
  maxSteps: count("max_steps", "budgets", [1, DEFAULT_BUDGETS.maxSteps, 10_000], "Steps of an episode."),
  maxSearchCalls: count(
    "max_search_calls",
    "budgets",
    [0, DEFAULT_BUDGETS.maxSearchCalls, 10_000],
    "Searches of an episode.",
  ),
  maxReadCalls: count(
    "max_read_calls",
    "budgets",
    [0, DEFAULT_BUDGETS.maxReadCalls, 10_000],
    "Reads of an episode.",
  ),
  teacherMaxTokens: count(
    "teacher_max_tokens",
    "budgets",
    [1, 512, 100_000],
    "Tokens of one reply of the teacher; a site that asks for fewer gets fewer.",
  ),
  timeoutSeconds: amount(
    "timeout_seconds",
    "budgets",
    [0.1, DEFAULT_BUDGETS.timeoutSeconds, 86_400],
    "Wall time of an episode.",
  ),
} as const satisfies Readonly<Record<string, Knob>>;

export type KnobKey = keyof typeof KNOBS;

type Values = {
  readonly [K in KnobKey]: (typeof KNOBS)[K] extends Flag ? boolean : number;
};

/** How an episode is controlled. */
export interface Control extends Values {
  /** Ids of skills that every selection keeps, besides the domain's mandatory ones. */
  readonly pinnedSkills: readonly string[];
  /** Sites at which the teacher is not asked (`isSiteOn`). */
  readonly teacherSitesOff: readonly string[];
}

function schemaOf(knob: Knob) {
  if (knob.kind === "flag") return z.boolean().default(knob.fallback);
  const number = z.number().min(knob.least).max(knob.most);
  return (knob.whole ? number.int() : number).default(knob.fallback);
}

/** A control as files hold it; what is not there gets its default. */
export const controlSchema = z.object({
  ...Object.fromEntries(Object.entries(KNOBS).map(([key, knob]) => [key, schemaOf(knob)])),
  pinnedSkills: z.array(z.string()).default([]),
  teacherSitesOff: z.array(z.string()).default([]),
}) as unknown as z.ZodType<Control>;

function kindOf(knob: Knob) {
  return (knob.kind === "flag" ? z.boolean() : z.number()).optional();
}

/** A control as an episode records it: a knob that its version of HASP did not know is absent. */
export const recordedControlSchema = z.object({
  ...Object.fromEntries(Object.entries(KNOBS).map(([key, knob]) => [key, kindOf(knob)])),
  pinnedSkills: z.array(z.string()).optional(),
  teacherSitesOff: z.array(z.string()).optional(),
}) as unknown as z.ZodType<Partial<Control>>;

/** As the schema would make it of `{}`; a hook, which starts for each call of an agent, has no time for schemas. */
export const DEFAULT_CONTROL = {
  ...Object.fromEntries(Object.entries(KNOBS).map(([key, { fallback }]) => [key, fallback])),
  pinnedSkills: [],
  teacherSitesOff: [],
} as unknown as Control;

export function budgetsOf(control: Control): Budgets {
  const { maxSteps, maxSearchCalls, maxReadCalls, timeoutSeconds } = control;
  return { maxSteps, maxSearchCalls, maxReadCalls, timeoutSeconds };
}

/** The settings that a run can take (SPEC §5). */
export const SETTINGS = ["full", "pf-only", "teacher-only", "prompt-only", "ra-agent"] as const;
export type Setting = (typeof SETTINGS)[number];
export const DEFAULT_SETTING: Setting = "full";

const NO_CODE = {
  enableProgramFunctions: false,
  enableSkillHandlers: false,
  enableDifficultyGating: false,
} as const;
/** No code of the harness changes a proposal or an answer. */
const PLAIN = {
  ...NO_CODE,
  enableTeacher: false,
  enableAnswerFormatting: false,
  enableRetry: false,
} as const;

/** What each setting changes of the defaults; what the person sets by name comes after it. */
export const SETTING_CONTROL: Readonly<Record<Setting, Partial<Control>>> = {
  full: {},
  "pf-only": { pfOnlyMode: true, enableDifficultyGating: false },
  "teacher-only": { ...NO_CODE, skillsEnabled: false },
  "prompt-only": { ...PLAIN, promptOnlyMode: true },
  "ra-agent": { ...PLAIN, skillsEnabled: false },
};

/** How much a step may add to the prompt. */
export type ContextLimits = Pick<Control, "maxContexts" | "contextBudget">;

export const contextLimitsOf = ({ maxContexts, contextBudget }: ContextLimits): ContextLimits => ({
  maxContexts,
  contextBudget,
});

/** What of the harness acts under this control. */
export interface Surfaces {
  /** Summaries and phase instructions. */
  readonly text: boolean;
  readonly pfs: boolean;
  readonly handlers: boolean;
  /** False: the teacher is never asked, whether or not there is one. */
  readonly teacher: boolean;
}

export function surfacesOf(control: Control): Surfaces {
  const { skillsEnabled, enableProgramFunctions, enableSkillHandlers, enableTeacher, pfOnlyMode } = control;
  return {
    text: skillsEnabled,
    pfs: skillsEnabled && enableProgramFunctions,
    handlers: skillsEnabled && enableSkillHandlers,
    teacher: enableTeacher && !pfOnlyMode,
  };
}

/** Whether the teacher may be asked at a site. A group (`pf`, `handler`) switches all of its sites off. */
export function isSiteOn(control: Control, site: string): boolean {
  // A snippet is what the search tool answers with, and no help for the policy.
  if (site !== "search_snippet" && !surfacesOf(control).teacher) return false;
  const { teacherSitesOff } = control;
  const group = site.split(".", 1)[0] ?? site;
  return !teacherSitesOff.includes(site) && !teacherSitesOff.includes(group);
}
