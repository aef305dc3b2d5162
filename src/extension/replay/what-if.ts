import * as vscode from "vscode";
import { compareJudgements } from "../../analysis/what-if.ts";
import type { RecordedJudgement } from "../../analysis/judge.ts";
import type { WhatIf } from "../../model/what-if.ts";
import { isSkillFile } from "../workspace/skill-folders.ts";

/** What an edit does to the episode that is shown. */
export interface ShownWhatIf extends WhatIf {
  /** Position of the episode in `episodes.jsonl`. */
  readonly index: number;
  /** The edit is on disk; else it is being typed. */
  readonly saved: boolean;
}

export interface WhatIfWatch {
  /** The episode is shown, and this is what the library makes of it. */
  shown(index: number, judged: readonly RecordedJudgement[]): void;
  /** The library changed: judges the shown episode anew and tells the difference to what was saved before. */
  libraryChanged(): Promise<void>;
}

/** Decisions of the shown episode by the library as it was saved last. */
interface Baseline {
  readonly index: number;
  readonly judged: readonly RecordedJudgement[];
}

function isSaved(): boolean {
  return vscode.workspace.textDocuments.every(({ isDirty, uri }) => !isDirty || !isSkillFile(uri));
}

/** Compares with what was saved last, so that an edit in several goes is told as one. */
export function watchWhatIf(
  judge: (index: number) => Promise<readonly RecordedJudgement[]>,
  tell: (found: ShownWhatIf) => void,
): WhatIfWatch {
  let baseline: Baseline | undefined;
  let round = 0;
  return {
    shown(index, judged) {
      if (baseline?.index !== index) baseline = { index, judged };
    },
    async libraryChanged() {
      const before = baseline;
      if (before === undefined) return;
      const mine = ++round;
      const judged = await judge(before.index);
      // Another change, or another episode, has come meanwhile.
      if (mine !== round || baseline !== before) return;
      const saved = isSaved();
      if (saved) baseline = { index: before.index, judged };
      tell({ index: before.index, saved, ...compareJudgements(before.judged, judged) });
    },
  };
}
