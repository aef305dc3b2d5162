import type { ChatMessage } from "../llm/chat-model.ts";
import type { Action } from "../model/action.ts";
import type { Control } from "../model/control.ts";
import type { DomainSpec } from "../model/domain-spec.ts";
import type { DomainFacts, Proposal, Step } from "../model/episode.ts";
import type { ReplyForm } from "../model/sampling.ts";
import type { StepContext } from "../model/step-context.ts";
import type { Verdict } from "../model/verdict.ts";
import type { PfCall } from "../sandbox/pf-host.ts";
import type { DomainJudge } from "../scoring/judge.ts";
import type { Starters } from "../skill/scaffold-starters.ts";
import type { ContextRules } from "../trace/context-at.ts";
import type { AnswerFormat } from "./answer-format.ts";
import type { DatasetEntry } from "./dataset-entry.ts";
import type { Detectors } from "./detectors/detectors.ts";
import type { OpenEnvironment, ToolOrder } from "./environment.ts";
import type { DomainTexts } from "./texts.ts";

/**
 * A kind of task as one object: all that the harness, the analyses and the composition roots know about it (DESIGN.md, "A domain is
 * one object"). To add one, write its folder and list it in `registered.ts`.
 */
export interface Domain extends DomainSpec {
  /** Default values of its knobs, over `DEFAULT_CONTROL`. */
  readonly defaults: Partial<Control>;
  /** Values of its knobs in episodes that an agent of somebody else drives; every skill is then asked. Absent: those of runs. */
  readonly served?: Partial<Control>;
  readonly pfLists: PfLists;
  /** How step contexts are computed, fields of its own included. */
  readonly contextRules: ContextRules;
  /** What of a selected skill stands in the prompt: its summary, which is usual, or the body of its SKILL.md (SPEC §2, code). */
  readonly skillText?: "summary" | "body";
  /** How a chat model acts in it. */
  readonly prompt?: AgentPrompt;
  /** Opens the environment of a run. Absent: its episodes are recorded elsewhere, or served. */
  readonly openEnvironment?: OpenEnvironment;
  /** True where these tools find nothing without passages. Absent: nothing is searched, and no retriever is chosen. */
  readonly needsPassages?: (tools: Pick<ToolOrder, "retriever">) => boolean;
  /** The data sets whose release formats it knows. Absent: its questions are plain ones. */
  readonly datasets?: readonly DatasetEntry[];
  /** Decides whether an answer is right, unless another judge is named. */
  readonly judge: DomainJudge;
  /** Equal for two answers between which the domain makes no difference, and for two questions that are one. */
  readonly keys: DomainKeys;
  /** Its words in the prompts of teachers, judges and authors of skills. */
  readonly texts?: Partial<DomainTexts>;
  /** The form that an answer is brought into where `enableAnswerFormatting` is on. Absent: it is given as it is. */
  readonly answerFormat?: AnswerFormat;
  /** The detectors of failures that run in it (SPEC §10.8). Absent: those that need nothing but steps, or the words that its judge compares. */
  readonly detectors?: Detectors;
  /** Words of an answer; a longer one is a sign of failure. Undefined: answers have any length. */
  readonly longestAnswer?: number;
  /** Longest reply of a policy, in tokens, where a run says nothing. Absent: as `DEFAULT_SAMPLING`. */
  readonly maxTokens?: number;
  /** Measures of a step's quality that only this domain knows, for the signal `s3.domain` (SPEC §6). */
  readonly stepMeasures?: readonly StepMeasure[];
  /** The job preset of its evolutions (`src/jobs/presets.ts`); absent: `evolve-<name>`, where there is such a one. */
  readonly evolutionPreset?: string;
  /**
   * Nothing is ever modified in it, so that pairs of training data come of revisions alone: they are made unless a person says otherwise
   * (`--no-dpo-revised`).
   */
  readonly revisedPairs?: true;
  /** What a new skill of each kind begins with. */
  readonly starters: Starters;
  /** The nine calls that a Program Function of this domain must survive (SPEC §7 D). */
  readonly mockCalls: () => readonly PfCall[];
}

/** Texts by which answers, and questions, are the same. */
export interface DomainKeys {
  readonly answer: (text: string) => string;
  readonly question: (text: string) => string;
}

/** A step as its measures see it. */
export interface MeasuredStep {
  readonly step: Step;
  readonly context: StepContext;
  readonly facts: DomainFacts;
  /** Of the judge of the run on the last answer that the step proposed; undefined where it proposed none, or nobody judged it. */
  readonly verdict: Verdict | undefined;
}

/** One measure of the quality of a step: the signal `s3.domain.<name>`. */
export interface StepMeasure {
  readonly name: string;
  /** In [0, 1]. Looks at what is recorded of the step alone, so that a record gives the same value again. */
  measure(about: MeasuredStep): number;
}

/** A domain whose questions HASP can run. */
export interface RunnableDomain extends Domain {
  readonly prompt: AgentPrompt;
  readonly openEnvironment: OpenEnvironment;
}

/** The step of a proposal, and the instructions that the policy read before it. */
interface Asked {
  /** 0-based step of the proposal. */
  readonly t: number;
  /** Phase instructions that the policy read before it. */
  readonly instructions: readonly string[];
}

/** Something a policy has seen: a step, or a FINAL that was held back with the contexts that held it back (DESIGN.md, Γ). */
export type PromptSeen = Asked &
  (
    | {
        readonly kind: "step";
        readonly proposal: Proposal;
        readonly executed: Action;
        readonly observation: string;
        readonly injected: readonly string[];
        /** Why another action than the proposed one ran, in the words of the skill that replaced it. */
        readonly because?: string;
      }
    | { readonly kind: "held-back"; readonly proposal: Proposal; readonly injected: readonly string[] }
    /** An answer that was not taken: the policy goes another round. */
    | { readonly kind: "next-round"; readonly proposal: Proposal; readonly note: string }
  );

/** What a prompt is made of. */
export interface PromptInput {
  readonly question: string;
  readonly seen: readonly PromptSeen[];
  /** What the environment can execute; the domain's own action space where nothing is said. */
  readonly actionTypes?: readonly string[];
  /** Summaries of the selected skills, for the system prompt. */
  readonly summaries?: readonly string[];
  /** Phase instructions for this very proposal. */
  readonly instructions?: readonly string[];
  /** 0-based. */
  readonly t: number;
  readonly maxSteps: number;
  /** The form of replies; text where nothing is said. */
  readonly replies?: ReplyForm | undefined;
  /** Calls that the budgets allow in an episode, by action type; absent: unlimited. */
  readonly most?: Readonly<Record<string, number>>;
}

/** Replies as JSON, where the server can hold a model to it. `messages` and `form` then ask for such replies. */
export interface StructuredReplies {
  /** JSON schema of a reply. */
  schema(actionTypes: readonly string[]): Readonly<Record<string, unknown>>;
  /** As `AgentPrompt.parseReply`; a server that ignores the schema may send any text. */
  parseReply(text: string): Pick<Proposal, "thought" | "action" | "lenient">;
}

/** How a chat model is asked to act in a domain, and how its reply is read. */
export interface AgentPrompt {
  /** Changes with every change of the wording. */
  readonly version: string;
  messages(input: PromptInput): readonly ChatMessage[];
  /** A proposal as the prompt asks a model to write it. */
  render(proposal: Pick<Proposal, "thought" | "action">): string;
  /**
   * Messages that end with this step, as `messages` writes them where the step has no contexts; all else stays, character for character.
   * Undefined where the last message does not begin with the step as this prompt writes it, as in a record of another version.
   */
  withoutContexts(
    messages: readonly ChatMessage[],
    step: Extract<PromptSeen, { kind: "step" }>,
  ): readonly ChatMessage[] | undefined;
  /**
   * The end of every message that carries a skill's text: the question again, and the form of an action. Without it a small model answers
   * the skill in prose. It depends on nothing that changes within an episode.
   */
  form(about: Pick<PromptInput, "question" | "actionTypes" | "replies">): string;
  /** Absent: the domain knows replies as text alone. */
  readonly structured?: StructuredReplies;
  /** Texts before which a reply ends: what follows them the model would invent. */
  readonly stop: readonly string[];
  /** Never fails: text without an action is the action `invalid`; an action in another form than the prompt's is `lenient`. */
  parseReply(text: string): Pick<Proposal, "thought" | "action" | "lenient">;
}

/** Ids of skills by what they are good for; what the heuristic PFSelector branches to (SPEC §4). */
export interface PfLists {
  /** Every selection keeps them. */
  readonly mandatory: readonly string[];
  /** For a simple question. */
  readonly light: readonly string[];
  /** For a chain of facts: those that do no harm, those that take the question apart, those that keep names apart. */
  readonly safe: readonly string[];
  readonly decomposition: readonly string[];
  readonly entityAware: readonly string[];
}

/** Of a domain without groups of skills. */
export const NO_PF_LISTS: PfLists = {
  mandatory: [],
  light: [],
  safe: [],
  decomposition: [],
  entityAware: [],
};
