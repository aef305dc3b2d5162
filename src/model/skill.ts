import { z } from "./zod.ts";

/** The three places in an episode that a phase instruction can attach to (SPEC §2). */
export const phaseNameSchema = z.enum(["pre_final", "post_search", "post_read"]);
export type PhaseName = z.infer<typeof phaseNameSchema>;

/** A prompt-level reminder, rendered only where all its conditions hold. */
export const phaseSchema = z.object({
  conditions: z.array(z.string()),
  priorityBoost: z.number(),
  action: z.string().optional(),
  text: z.string().optional(),
});
export type Phase = z.infer<typeof phaseSchema>;

/**
 * How a skill takes part in the vote on a FINAL (SPEC §2, §3). `llm`: the teacher answers its question; `code`: the `vote` of its PF
 * judges the FINAL; `inline`: it repairs actions on the way, and a `vote` that returns something counts.
 */
export const handlerKindSchema = z.enum(["llm", "code", "inline"]);
export type HandlerKind = z.infer<typeof handlerKindSchema>;

export interface Handler {
  readonly kind: HandlerKind;
  /** `llm`: what the teacher is asked about the answer, the text of the body's `## Handler` section. */
  readonly question?: string;
}

/** A skill as its SKILL.md declares it (SPEC §2, DESIGN.md "A skill"). Files and code stand beside it. */
export interface Skill {
  /** snake_case identity in events and statistics, e.g. `retrieval_failure`. */
  readonly skillId: string;
  /** kebab-case, equals the folder, e.g. `retrieval-failure`. */
  readonly name: string;
  /** When to use the skill; what VS Code and other agents show. */
  readonly description: string;
  readonly title: string;
  readonly version: number;
  /** 0–1; higher is asked first. */
  readonly priority: number;
  readonly errorCategory: string;
  readonly applicableModes: readonly string[];
  readonly applicablePhases: readonly string[];
  readonly systemSummary: string;
  readonly phases: Readonly<Partial<Record<PhaseName, Phase>>>;
  /** Undefined: the skill has no handler. */
  readonly handler?: Handler | undefined;
  /** Ids of skills that this one replaces: where both are in a library, they do not act. */
  readonly supersedes: readonly string[];
  /** The Markdown after the frontmatter. */
  readonly body: string;
}

/** What a PF declares about itself, read from the loaded class. */
export interface PfTraits {
  readonly needsTeacher: boolean;
  /** Fires per episode, any intervention; undefined = no cap of its own. */
  readonly maxFires: number | undefined;
  /** Action types about which it is asked after they have run, not before. */
  readonly after: readonly string[];
  /** It has a `vote` of its own on a FINAL that would run. */
  readonly votes: boolean;
}

/** A skill's code, ready for the sandbox. */
export interface PfProgram {
  readonly skillId: string;
  readonly priority: number;
  /** Path of the `pf.ts`, as shown to people. */
  readonly file: string;
  /** JavaScript (an ES module), on the same lines and columns as the TypeScript it came from. */
  readonly code: string;
  /** Phases in which it is asked (SPEC §2): `search`, `answer`, `think`. Absent or empty: about every proposal. */
  readonly phases?: readonly string[];
}

/** The most MODIFY_ACTION fires of one PF in one episode (SPEC §1, `_MAX_MODIFY_FIRES`). */
export const MAX_MODIFY_FIRES = 2;
