import { describe, expect, it } from "vitest";
import {
  type EpisodeJudging,
  type LibraryJudgement,
  type ShownWhatIf,
  watchWhatIf,
} from "../../../src/extension/replay/what-if.ts";

/** A library whose one PF changes a step to a search for its own name. */
const judgement = (library: string): LibraryJudgement => ({
  library,
  judged: [
    {
      t: 0,
      events: [],
      notAsked: [],
      executed: { type: "SEARCH", arg: library },
      injected: [],
      diverged: false,
    },
  ],
});

/** A workspace in which judging takes as long as the test wants. */
function workspace() {
  let [saved, edited] = ["v1", "v1"];
  const waiting: (() => void)[] = [];
  const told: ShownWhatIf[] = [];
  let count = 0;
  const judge = async (text: () => string): Promise<LibraryJudgement> => {
    count += 1;
    // What is judged is what stood there when it began.
    const library = text();
    await new Promise<void>((resolve) => waiting.push(resolve));
    return judgement(library);
  };
  const judging: EpisodeJudging = {
    edited: () => judge(() => edited),
    saved: () => judge(() => saved),
    isSaved: () => saved === edited,
  };
  const turn = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  return {
    watch: watchWhatIf(judging, (found) => told.push(found)),
    type: (text: string) => (edited = text),
    save: () => (saved = edited),
    /** Lets `n` judgements end. */
    judged: async (n: number): Promise<void> => {
      for (let i = 0; i < n; i++) {
        await turn();
        waiting.shift()?.();
      }
      await turn();
    },
    settle: async (): Promise<void> => {
      await turn();
      while (waiting.length > 0) {
        waiting.shift()?.();
        await turn();
      }
    },
    told: () =>
      told.map(({ index, saved: isSaved, changes: [change] }) => [
        index,
        isSaved ? "saved" : "typed",
        change?.executedBefore.arg,
        change?.executedAfter.arg,
      ]),
    judgements: () => count,
  };
}

describe("What an edit does to the episode that is shown", () => {
  it("is told as it is typed, and as it is saved, against what was saved before", async () => {
    const { watch, type, save, settle, told } = workspace();
    void watch.shown(3);
    await settle();
    expect(told()).toEqual([]);
    type("v2");
    void watch.libraryChanged();
    await settle();
    save();
    void watch.libraryChanged();
    await settle();
    expect(told()).toEqual([
      [3, "typed", "v1", "v2"],
      [3, "saved", "v1", "v2"],
    ]);
    type("v1");
    void watch.libraryChanged();
    await settle();
    expect(told().at(-1)).toEqual([3, "typed", "v2", "v1"]);
  });

  it("is told where the edit came before the episode was judged for the first time", async () => {
    const { watch, type, settle, told } = workspace();
    void watch.shown(0);
    type("v2");
    void watch.libraryChanged();
    await settle();
    expect(told()).toEqual([[0, "typed", "v1", "v2"]]);
  });

  it("is told where the episode is opened beside an edit that is not saved", async () => {
    const { watch, type, settle, told } = workspace();
    type("v2");
    void watch.libraryChanged();
    void watch.shown(0);
    await settle();
    expect(told()).toEqual([[0, "typed", "v1", "v2"]]);
  });

  it("is told of the latest, by two judgements at most, however often it is typed meanwhile", async () => {
    const { watch, type, judged, settle, told, judgements } = workspace();
    void watch.shown(0);
    await settle();
    const before = judgements();
    for (let i = 2; i <= 20; i++) {
      type(`v${i}`);
      void watch.libraryChanged();
    }
    await judged(1);
    await settle();
    expect(told()).toEqual([[0, "typed", "v1", "v20"]]);
    expect(judgements() - before).toBe(2);
  });

  it("is told of another episode against that one's own decisions", async () => {
    const { watch, type, settle, told } = workspace();
    void watch.shown(0);
    await settle();
    type("v2");
    void watch.shown(1);
    await settle();
    expect(told()).toEqual([[1, "typed", "v1", "v2"]]);
  });

  it("is told after a judgement that failed", async () => {
    let isTrusted = false;
    const told: ShownWhatIf[] = [];
    const judging: EpisodeJudging = {
      edited: async () => judgement("v2"),
      saved: async () => {
        if (isTrusted) return judgement("v1");
        throw new Error("not trusted");
      },
      isSaved: () => false,
    };
    const watch = watchWhatIf(judging, (found) => told.push(found));
    await expect(watch.shown(0)).rejects.toThrow("not trusted");
    isTrusted = true;
    await watch.libraryChanged();
    expect(told).toHaveLength(1);
  });
});
