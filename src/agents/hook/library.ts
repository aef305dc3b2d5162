import { CODING_THRESHOLDS } from "../../domains/coding-agent/thresholds.ts";
import type { LibrarySkill } from "../../harness/select/select.ts";
import { DEFAULT_CONTROL, type Control } from "../../harness/control.ts";
import type { SkillRef } from "../../model/episode.ts";
import type { PfProgram } from "../../model/skill.ts";
import type { RealmImage } from "../../sandbox/realm-image.ts";
import type { HookSettings } from "../../evaluation/hook-settings.ts";

/** A skill that can act in a hook: its PF is JavaScript already. */
export interface HookSkill extends LibrarySkill {
  readonly program: PfProgram;
}

/** Skills that act together, of which each older version and each superseded one is left out. */
export interface HookSkills {
  readonly skills: readonly HookSkill[];
  /** As episodes record them. */
  readonly refs: readonly SkillRef[];
  /** The sandbox with their PFs loaded. Absent where none could be kept. */
  readonly realm?: KeptRealm | undefined;
}

/** An image of a realm whose bytes are kept in a file of their own. */
export interface KeptRealm extends Omit<RealmImage, "bytes"> {
  /** Absolute path. */
  readonly file: string;
}

/** What a workspace brings of its own, and has to be trusted for (docs/hooks.md, "Trust"). */
export interface WorkspacePart {
  /** SHA-256 over the skills' files and the settings: what the person says yes to. */
  readonly hash: string;
  /** The shipped skills and its own; one of its own replaces a shipped one of the same id. */
  readonly library: HookSkills;
  readonly settings: HookSettings;
  /** Ids of its own skills, for people. */
  readonly own: readonly string[];
}

/** All that can judge in one workspace, compiled. */
export interface HookLibrary {
  readonly shipped: HookSkills;
  readonly workspace: WorkspacePart | undefined;
}

/** What judges now. */
export interface ActingLibrary extends HookSkills {
  readonly settings: HookSettings;
  /** The workspace has skills or settings that nobody has said yes to. */
  readonly untrusted: WorkspacePart | undefined;
}

/** The library of a workspace, as far as it is trusted. */
export function trustedLibrary(
  { shipped, workspace }: HookLibrary,
  isTrusted: (hash: string) => boolean,
  defaults: HookSettings,
): ActingLibrary {
  if (workspace === undefined) return { ...shipped, settings: defaults, untrusted: undefined };
  if (!isTrusted(workspace.hash)) return { ...shipped, settings: defaults, untrusted: workspace };
  return { ...workspace.library, settings: workspace.settings, untrusted: undefined };
}

/** How a session is controlled: every PF judges every call, and nothing asks a teacher. */
export function hookControl({ skills }: HookSkills): Control {
  return {
    ...DEFAULT_CONTROL,
    enableDifficultyGating: false,
    enableSkillHandlers: false,
    enableAnswerFormatting: false,
    enableRetry: false,
    enableTeacher: false,
    maxModifyFires: CODING_THRESHOLDS.maxModifyFires,
    pinnedSkills: skills.map(({ skill }) => skill.skillId),
  };
}
