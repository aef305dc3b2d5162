import { compareJudgements, type RecordedJudgement } from "../../app/judge-replay.ts";
import { coalesce } from "../coalesce.ts";
import type { WhatIf } from "../../model/what-if.ts";

/** The effect of an edit on the episode that is shown. */
export interface ShownWhatIf extends WhatIf {
  /** Position of the episode in `episodes.jsonl`. */
  readonly index: number;
  /** The edit is on disk; else it is being typed. */
  readonly saved: boolean;
}

/** The decisions of a library on an episode. */
export interface LibraryJudgement {
  readonly judged: readonly RecordedJudgement[];
  /** Differs where a decision may: by SKILL.md and pf.ts, not by cases. */
  readonly library: string;
}

/** Judges the episode at a position of the run. */
export interface EpisodeJudging {
  /** By the library as it stands in the editors. */
  edited(index: number): Promise<LibraryJudgement>;
  /** By the library as it stands on disk. */
  saved(index: number): Promise<LibraryJudgement>;
  /** Whether the two are the same. */
  isSaved(): boolean;
}

/** Decisions of the shown episode by the library as it was saved last. */
interface Baseline extends LibraryJudgement {
  readonly index: number;
}

/**
 * Compares with what was saved last, so that an edit in several goes is told as one. However often the library changes,
 * one judgement is under way; what changes meanwhile, also before the first one is there, is looked at after it.
 */
export function watchWhatIf(judging: EpisodeJudging, tell: (found: ShownWhatIf) => void) {
  let shownIndex: number | undefined;
  let baseline: Baseline | undefined;
  /** The latest state that was told or shown: the same again is not told. */
  let known = { library: "", saved: true };

  async function baselineOf(index: number): Promise<Baseline> {
    if (baseline?.index === index) return baseline;
    const judgement = await judging.saved(index);
    known = { library: judgement.library, saved: judging.isSaved() };
    return { index, ...judgement };
  }

  async function look(index: number, isStale: () => boolean): Promise<void> {
    const before = await baselineOf(index);
    baseline = before;
    const now = await judging.edited(index);
    // Another change, or another episode, has come meanwhile.
    if (isStale()) return;
    const saved = judging.isSaved();
    if (now.library === known.library && saved === known.saved) return;
    known = { library: now.library, saved };
    if (saved) baseline = { index, ...now };
    tell({ index, saved, ...compareJudgements(before.judged, now.judged) });
  }

  const follow = coalesce(async (isStale) => {
    if (shownIndex !== undefined) await look(shownIndex, isStale);
  });

  return {
    /** Another episode is shown: from now on edits are told of this one, and so is what is not saved yet. */
    async shown(index: number): Promise<void> {
      if (shownIndex === index) return;
      shownIndex = index;
      await follow();
    },
    /** The library changed: judges the shown episode anew and tells the difference to what was saved before. */
    libraryChanged: follow,
  };
}
