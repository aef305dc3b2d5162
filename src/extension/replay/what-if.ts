import * as vscode from "vscode";
import { compareJudgements } from "../../analysis/what-if.ts";
import type { RecordedJudgement } from "../../analysis/judge.ts";
import type { WhatIf } from "../../model/what-if.ts";
import { isSkillFile, nameOf } from "../workspace/skill-folders.ts";

/** What an edit does to the episode that is shown. */
export interface ShownWhatIf extends WhatIf {
  /** Position of the episode in `episodes.jsonl`. */
  readonly index: number;
  /** The edit is on disk; else it is being typed. */
  readonly saved: boolean;
}

/** What a library makes of an episode. */
export interface LibraryJudgement {
  readonly judged: readonly RecordedJudgement[];
  /** Differs where a decision may: by SKILL.md and pf.ts, not by cases. */
  readonly library: string;
}

export interface WhatIfWatch {
  /** The episode is shown, and this is what the library makes of it. */
  shown(index: number, now: LibraryJudgement): void;
  /** The library changed: judges the shown episode anew and tells the difference to what was saved before. */
  libraryChanged(): Promise<void>;
}

/** Decisions of the shown episode by the library as it was saved last. */
interface Baseline extends LibraryJudgement {
  readonly index: number;
}

const CASES = "cases.yaml";

function isSaved(): boolean {
  return vscode.workspace.textDocuments.every(
    ({ isDirty, uri }) => !isDirty || !isSkillFile(uri) || nameOf(uri) === CASES,
  );
}

/** Compares with what was saved last, so that an edit in several goes is told as one. */
export function watchWhatIf(
  judge: (index: number) => Promise<LibraryJudgement>,
  tell: (found: ShownWhatIf) => void,
): WhatIfWatch {
  let baseline: Baseline | undefined;
  /** What was told last, or shown: the same again is no news. */
  let known = { library: "", saved: true };
  let round = 0;
  return {
    shown(index, now) {
      if (baseline?.index === index) return;
      baseline = { index, ...now };
      known = { library: now.library, saved: true };
    },
    async libraryChanged() {
      const before = baseline;
      if (before === undefined) return;
      const mine = ++round;
      const now = await judge(before.index);
      // Another change, or another episode, has come meanwhile.
      if (mine !== round || baseline !== before) return;
      const saved = isSaved();
      if (now.library === known.library && saved === known.saved) return;
      known = { library: now.library, saved };
      if (saved) baseline = { index: before.index, ...now };
      tell({ index: before.index, saved, ...compareJudgements(before.judged, now.judged) });
    },
  };
}
