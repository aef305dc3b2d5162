import { CODING_DEFAULTS } from "../../domains/coding-agent/defaults.ts";
import type { LibrarySkill } from "../../harness/select/select.ts";
import { DEFAULT_CONTROL, type Control } from "../../model/control.ts";
import { byTurn } from "../../harness/order.ts";
import type { SkillRef } from "../../model/episode.ts";
import type { PfProgram } from "../../model/skill.ts";
import type { KeptSkill } from "../../trace/library-store.ts";
import { HOOK_DEFAULTS, type HookSettings } from "../../evaluation/hook-settings.ts";

/** A skill that can act in a hook: its PF is JavaScript already. */
export interface HookSkill extends LibrarySkill {
  readonly program: PfProgram;
}

/** Skills that act together, of which each older version and each superseded one is left out. */
export interface HookSkills {
  readonly skills: readonly HookSkill[];
  /** As episodes record them. */
  readonly refs: readonly SkillRef[];
}

/** Compiled skills, with the texts that they were compiled from. */
export interface CompiledSkills extends HookSkills {
  readonly kept: readonly KeptSkill[];
}

/** A skill of a workspace that the user trusts and that cannot act all the same. */
export interface LeftOutSkill {
  readonly skillId: string;
  /** The fault, as the end of a sentence that begins with "it": `does not end`. */
  readonly reason: string;
}

/** What a workspace brings of its own, and has to be trusted for (docs/hooks.md, "Trust"). */
export interface WorkspacePart {
  /** SHA-256 over the skills' files and the settings: what the person says yes to. */
  readonly hash: string;
  readonly settings: HookSettings;
  /** `disabled_skills` of its hasp.yaml. */
  readonly disabled: readonly string[];
  /** Ids of its own skills, for people. */
  readonly own: readonly string[];
  /** Its own skills, compiled. Undefined until somebody said yes to `hash`: before that nothing of them is loaded. */
  readonly compiled: CompiledSkills | undefined;
  readonly leftOut: readonly LeftOutSkill[];
  /** Why its skills could not be read or compiled at all, after "they": `are not compiled yet`. */
  readonly unread?: string;
}

/** What judges now. */
export interface ActingLibrary extends HookSkills {
  readonly settings: HookSettings;
  /** Ids of the workspace's own skills among them. */
  readonly own: ReadonlySet<string>;
  /** The workspace has skills or settings that nobody has said yes to. */
  readonly untrusted: Pick<WorkspacePart, "own" | "hash"> | undefined;
  readonly leftOut: readonly LeftOutSkill[];
  /** Of a workspace that is trusted: why none of its skills acts. */
  readonly unread?: string | undefined;
}

/** The part of a workspace whose skills could not be read or compiled. */
export function unreadPart(hash: string, why: string): WorkspacePart {
  return {
    hash,
    settings: HOOK_DEFAULTS,
    disabled: [],
    own: [],
    compiled: undefined,
    leftOut: [],
    unread: why,
  };
}

/** These skills as one library, without those in `out`. */
function together(parts: readonly HookSkills[], out: ReadonlySet<string> = new Set()): HookSkills {
  const skills = parts.flatMap((part) => part.skills).filter(({ skill }) => !out.has(skill.skillId));
  const refs = new Map(parts.flatMap((part) => part.refs).map((ref) => [ref.skillId, ref]));
  const inTurn = skills.toSorted((a, b) => byTurn(a.skill, b.skill));
  return { skills: inTurn, refs: inTurn.flatMap(({ skill }) => refs.get(skill.skillId) ?? []) };
}

/**
 * The library that judges in a workspace. The shipped skills act whatever the workspace holds; its own act, and its settings hold, where
 * `isTrusted` says so of their content. One that cannot act replaces nothing.
 */
export function actingLibrary(
  shipped: HookSkills,
  workspace: WorkspacePart | undefined,
  isTrusted: (hash: string) => boolean,
  barred: readonly LeftOutSkill[] = [],
): ActingLibrary {
  const alone = {
    ...shipped,
    settings: HOOK_DEFAULTS,
    own: new Set<string>(),
    untrusted: undefined,
    leftOut: [],
  };
  if (workspace === undefined) return alone;
  if (!isTrusted(workspace.hash)) return { ...alone, untrusted: workspace };
  const { settings, disabled, compiled = { skills: [], refs: [] } } = workspace;
  const off = new Set([...disabled, ...barred.map(({ skillId }) => skillId)]);
  const own = together([compiled], off);
  const replaced = own.skills.flatMap(({ skill }) => [skill.skillId, ...skill.supersedes]);
  const kept = together([shipped], new Set([...disabled, ...replaced]));
  return {
    ...together([kept, own]),
    settings,
    own: new Set(own.skills.map(({ skill }) => skill.skillId)),
    untrusted: undefined,
    leftOut: [...workspace.leftOut, ...barred],
    unread: workspace.unread,
  };
}

/** How a session is controlled: every PF judges every call, and nothing asks a teacher. */
export function hookControl({ skills }: HookSkills): Control {
  return {
    ...DEFAULT_CONTROL,
    ...CODING_DEFAULTS,
    enableDifficultyGating: false,
    enableSkillHandlers: false,
    enableAnswerFormatting: false,
    enableRetry: false,
    enableTeacher: false,
    pinnedSkills: skills.map(({ skill }) => skill.skillId),
  };
}
