import type { OpenedRun } from "../../src/protocol/replay.ts";
import { count } from "../shared/format.ts";
import { shownOf, type ReplayState } from "./state.ts";

/** The library whose decisions are shown beside the recorded ones. */
export interface LibraryNames {
  /** In a word, as a mark. */
  readonly word: string;
  /** Within a sentence. */
  readonly name: string;
  /** At the beginning of a sentence. */
  readonly subject: string;
  /** Heading of its row of the timeline. */
  readonly row: string;
  /** All that is known of it. */
  readonly title: string;
}

/** Names the library that judges the run: that of today, the run's own, or the one that judged when a page was written. */
export function libraryNames({
  snapshot,
  runSkills,
}: Pick<OpenedRun, "snapshot" | "runSkills">): LibraryNames {
  if (runSkills === "judging")
    return {
      word: "skills of the run",
      name: "the run's own library",
      subject: "The run's own library",
      row: "Judged",
      title: "The decisions of the skills that the run's folder keeps",
    };
  if (snapshot === undefined)
    return {
      word: "today",
      name: "today's library",
      subject: "Today's library",
      row: "Today",
      title: "The decisions of the skills on disk",
    };
  const name = `library of ${snapshot.when.slice(0, 10)}`;
  const title = `The decisions of ${count(snapshot.skills, "skill")} when this page was written (${snapshot.hash.slice(0, 8)})`;
  return { word: name, name: `the ${name}`, subject: `The ${name}`, row: "Judged", title };
}

/** Names the library that judges the run shown. */
export function judgingLibrary({ run }: Pick<ReplayState, "run">): LibraryNames {
  return libraryNames(shownOf(run) ?? {});
}
