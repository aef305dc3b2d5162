import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { connect, RequestError } from "../../../src/protocol/connection.ts";
import type { OpenedRun, ReplayHost, ReplayView } from "../../../src/protocol/replay.ts";
import { channelPair } from "../../../webview/fixture/channel-pair.ts";
import { EPISODES, headOf } from "../../../webview/fixture/episodes.ts";
import { createController } from "../../../webview/replay/controller.ts";
import { canJudge, INITIAL_STATE, valueOf } from "../../../webview/replay/state.ts";
import { createStore } from "../../../webview/replay/store.ts";

// Reading whole episodes in the background waits for it; nothing here looks at what they show.
vi.stubGlobal("requestIdleCallback", () => undefined);

const RESTRICTED = "This workspace is not trusted.";

/** Lets all messages that are under way arrive. */
const arrived = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A view of a run, and a host that answers when the test says so. What it answers is what was so when it was asked. */
function replay() {
  const [view, far] = channelPair();
  const extension = connect<ReplayView, ReplayHost>(far);
  const store = createStore(INITIAL_STATE);
  const controller = createController(connect<ReplayHost, ReplayView>(view), store);
  const waiting: (() => void)[] = [];
  let [isTrusted, skills, version, isOpen] = [true, 1, 1, false];
  const answer = async <T>(value: T): Promise<T> => {
    if (!isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
    return value;
  };
  const judged = async <T>(value: T): Promise<T> => {
    if (isTrusted) return answer(value);
    await answer(undefined);
    throw new RequestError(RESTRICTED);
  };
  const openedRun = (): OpenedRun => ({
    run: undefined,
    title: "A run",
    episodes: EPISODES.map(headOf),
    diagnostics: [],
    skills: Array.from({ length: skills }, (_, i) => ({ skillId: `skill_${i}`, title: "A skill" })),
    libraryNotice: isTrusted ? undefined : RESTRICTED,
    domains: ["web-search"],
  });
  const skill = () => `version_${version}`;
  const context = { context: {} as never, changed: [] };
  extension.handle("open", () => answer(openedRun()));
  extension.handle("readEpisode", ({ index }) => answer(EPISODES[index] as never));
  extension.handle("stepContext", () => answer(context));
  extension.handle("readNotes", () => answer({ notes: [], diagnostics: [] }));
  extension.handle("readFacets", () => answer([]));
  extension.handle("judgeEpisode", () => judged([]));
  extension.handle("judgeStep", ({ t }) => {
    const event = { skillId: skill(), status: "skipped", reason: "" } as const;
    const pfs = [{ event: event as never, reason: "", explanation: undefined }];
    return judged({ t, pfs, executed: undefined, injected: [], diverged: false });
  });
  const libraryChanged = () => extension.send("libraryChanged", null);
  const runChanged = () => extension.send("runChanged", null);
  return {
    controller,
    store,
    extension,
    version: skill,
    libraryChanged,
    runChanged,
    restrict: () => void (isTrusted = false),
    empty: () => void (skills = 0),
    /** Trust is told, and the run changes in the same moment: the second request to open it cancels the first. */
    trust: () => {
      isTrusted = true;
      libraryChanged();
      runChanged();
    },
    edit: () => {
      [version, skills] = [version + 1, 1];
      libraryChanged();
    },
    /** Answers one of the requests that wait. */
    answerOne: (which: number) => {
      waiting.splice(which % Math.max(waiting.length, 1), 1).forEach((go) => go());
    },
    /** Answers all that waits, and all that is asked from now on. */
    answerAll: async () => {
      isOpen = true;
      for (let i = 0; i < 20; i++) {
        waiting.splice(0).forEach((go) => go());
        await arrived();
      }
    },
    hold: () => void (isOpen = false),
    /** Which library judged the step that is shown; undefined: none has. */
    shown: () => {
      const judgement = valueOf(store.get().judged);
      return judgement?.t === store.get().t ? judgement.pfs[0]?.event.skillId : undefined;
    },
    marked: () => store.get().marks.state,
  };
}

type Replay = ReturnType<typeof replay>;

describe("A replay whose library may judge only later", () => {
  it("judges the step that is shown once the workspace is trusted", async () => {
    const { controller, restrict, trust, answerAll, shown, marked, version } = replay();
    restrict();
    void controller.open();
    await answerAll();
    expect([shown(), marked()]).toEqual([undefined, "idle"]);
    trust();
    await answerAll();
    expect([shown(), marked()]).toEqual([version(), "ready"]);
  });

  it("judges by the latest library where it changed while the run was read again", async () => {
    const { controller, edit, runChanged, hold, answerAll, shown, version } = replay();
    void controller.open();
    await answerAll();
    hold();
    edit();
    await arrived();
    runChanged();
    await answerAll();
    expect(shown()).toBe(version());
  });

  it("goes to the comparison that it was opened for, also where the run changed before it was read", async () => {
    const { controller, extension, runChanged, store, hold, answerAll } = replay();
    extension.handle("comparableRuns", async () => []);
    extension.handle("compareRuns", () => Promise.reject(new RequestError("There is none.")));
    hold();
    void controller.open();
    extension.send("compareWithRun", { run: "another" });
    await arrived();
    runChanged();
    await answerAll();
    expect(store.get().compare?.view).toBe("runs");
  });
});

/** What may happen while a run is open, in any order. */
const HAPPENINGS: Record<string, (replay: Replay, n: number) => void> = {
  trust: ({ trust }) => trust(),
  "the library changes": ({ edit }) => edit(),
  "the run changes": ({ runChanged }) => runChanged(),
  "the host answers": ({ answerOne }, n) => answerOne(n),
  "the next step": ({ controller }) => controller.goToStep(1),
  "the next episode": ({ controller }) => controller.moveEpisode(1),
  "the other mode": ({ controller }, n) => controller.setMode(n % 2 === 0 ? "step" : "episode"),
  "try again": ({ controller }) => controller.retry(),
};

const happening = fc.tuple(fc.constantFrom(...Object.keys(HAPPENINGS)), fc.nat(5), fc.boolean());

it("no order of events leaves a step waiting for a library that may judge, or judged by an older one", async () => {
  const start = fc.constantFrom("trusted", "restricted", "empty");
  await fc.assert(
    fc.asyncProperty(start, fc.array(happening, { maxLength: 24 }), async (from, happenings) => {
      const view = replay();
      if (from === "restricted") view.restrict();
      if (from === "empty") view.empty();
      void view.controller.open();
      for (const [what, n, waits] of happenings) {
        HAPPENINGS[what]?.(view, n);
        if (waits) await arrived();
      }
      view.controller.setMode("step");
      await view.answerAll();
      const { run } = view.store.get();
      expect(run.state).toBe("ready");
      if (canJudge(valueOf(run))) expect([view.shown(), view.marked()]).toEqual([view.version(), "ready"]);
      else expect(view.store.get().judged.state).toBe("idle");
    }),
    { numRuns: 300 },
  );
});
