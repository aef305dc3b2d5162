import { existsSync, rmSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Episode } from "../../src/model/episode.ts";
import {
  CLI,
  differences,
  EVO,
  filesBelow,
  GENERATED,
  linesWith,
  openEvolveScene,
  outcomeOf,
  type EvolveScene,
} from "../support/evolve-scene.ts";
import { play, roleOf, teacherTask } from "../support/evolve-world.ts";
import type { Ended } from "../support/hook-process.ts";
import type { Behaviour, LoopbackCall } from "../support/loopback-model.ts";

/**
 * `hasp evolve` that is killed, interrupted, out of dollars or left by its models: the same command ends it as if nothing had happened, and
 * no model is asked twice but for what was in flight.
 */

const PATIENCE = 300_000;
const CONCURRENCY = 2;
const ORDER = ["--worth", "off", "--min-cluster", "2", "--concurrency", String(CONCURRENCY)];

type Held = (call: LoopbackCall) => boolean;
const NEVER = new Promise<void>(() => undefined);

let world: EvolveScene;
/** Requests for which no reply comes. */
let holds: Held = () => false;
let held: LoopbackCall[] = [];
/** In place of a reply. */
let instead: (call: LoopbackCall) => Behaviour | undefined = () => undefined;
let reference: Record<string, string>;
/** The bodies of the requests of an evolution that nobody disturbs. */
let asked: string[];
let undisturbed: Ended;

const bodyOf = ({ request }: Pick<LoopbackCall, "request">): string => JSON.stringify(request);
const order = (...more: readonly string[]): string[] => world.order(...ORDER, ...more);

function startAnew(): void {
  for (const folder of [EVO, "skills", ".hasp"]) rmSync(world.at(folder), { recursive: true, force: true });
  [holds, instead] = [() => false, () => undefined];
}

beforeAll(async () => {
  world = await openEvolveScene(24, (call) => {
    const other = instead(call);
    if (other !== undefined) return other;
    if (!holds(call)) return play(call);
    held.push(call);
    return { kind: "text", text: "", until: NEVER };
  });
  undisturbed = await world.hasp(...order());
  reference = outcomeOf(world);
  asked = world.model.calls.map(bodyOf);
}, PATIENCE);
beforeEach(startAnew);
afterAll(() => world.end());

/** Ends the command with the signal once `isTime`. */
async function endedBy(
  signal: "SIGKILL" | "SIGINT",
  args: readonly string[],
  isTime: () => boolean,
): Promise<Ended> {
  held = [];
  const { child, ended } = world.start([CLI, ...args], "");
  const watch = setInterval(() => {
    if (!isTime()) return;
    clearInterval(watch);
    child.kill(signal);
  }, 1);
  const end = await ended;
  clearInterval(watch);
  holds = () => false;
  return end;
}

/** The moment when a request that `is` one of these arrives; `width` of them are under way at once then. */
const whenHeld =
  (is: Held, width = 1): (() => boolean) =>
  () => {
    holds = is;
    return held.length >= width;
  };
const whenThere =
  (...names: string[]): (() => boolean) =>
  () =>
    existsSync(world.at(...names));

const isPolicy: Held = ({ request }) => roleOf(request) === "policy";
const isTask =
  (task: ReturnType<typeof teacherTask>): Held =>
  ({ request }) =>
    roleOf(request) === "teacher" && teacherTask(request) === task;
/** From the n-th on. */
const after = (n: number, is: Held): Held => {
  let seen = 0;
  return (call) => is(call) && ++seen > n;
};
const saysLast =
  (start: string): Held =>
  ({ request }) =>
    request.messages.at(-1)?.content.startsWith(start) === true;
const inRun =
  (folder: string, is: Held): Held =>
  (call) =>
    is(call) && existsSync(world.at(EVO, folder, "run.json"));

/** How often each request came since the call with this index. */
function timesAsked(since: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const call of world.model.calls.slice(since))
    times.set(bodyOf(call), (times.get(bodyOf(call)) ?? 0) + 1);
  return times;
}

describe("the undisturbed evolution", () => {
  it("admits a skill in each epoch and asks nothing twice", () => {
    expect([undisturbed.code, undisturbed.err]).toEqual([0, ""]);
    expect(linesWith(undisturbed, "epoch").filter((line) => line.includes("  F  "))).toEqual([
      "epoch 1  F  Admit to the library: 1 of 3 candidates admitted; 1 acting skill",
      "epoch 2  F  Admit to the library: 1 of 3 candidates admitted; 2 acting skills",
    ]);
    expect(new Set(asked).size).toBe(asked.length);
  });
});

describe("an evolution that is killed", () => {
  it(
    "in every phase, and resumed each time, ends as if nobody had",
    async () => {
      const since = world.model.calls.length;
      const inFlight: string[] = [];
      const moments: Readonly<Record<string, () => boolean>> = {
        "A, in the rollout": whenHeld(after(5, isPolicy), CONCURRENCY),
        "A, in the validation": whenHeld(inRun("epoch_1/validation", isPolicy), CONCURRENCY),
        B: whenHeld(isTask("summary")),
        "C, after the first candidate": whenHeld(after(1, ({ request }) => roleOf(request) === "author")),
        "C, in a repair": whenHeld(saysLast("Your skill was checked")),
        D: whenThere(EVO, "epoch_1/proposals.json"),
        "E, in a review": whenHeld(after(1, isTask("review"))),
        "E, in a revision": whenHeld(saysLast("A reviewer read your skill")),
        "F, planned": whenThere(EVO, "epoch_1/admission-plan.json"),
        "F, at the first version": whenThere(GENERATED, "unread_answer__v1"),
        "G, in the validation": whenHeld(inRun("epoch_1/validation-after", isPolicy), CONCURRENCY),
        "G, at its end": whenThere(EVO, "epoch_1/credit.jsonl"),
        H: whenThere(EVO, "epoch_1/credit.json"),
        "H, half built": whenThere(EVO, "epoch_1/data/a"),
        "A, in the second epoch": whenHeld(inRun("epoch_2/rollout", isPolicy), CONCURRENCY),
        "F, in the second epoch": whenThere(EVO, "epoch_2/admission-plan.json"),
        "H, in the second epoch": whenThere(EVO, "epoch_2/data/b"),
        "the final reading": whenThere(EVO, "epoch_2/data.json"),
      };
      for (const [name, moment] of Object.entries(moments)) {
        const { signal, err } = await endedBy("SIGKILL", order(), moment);
        expect([name, signal, err]).toEqual([name, "SIGKILL", ""]);
        inFlight.push(...held.map(bodyOf));
      }
      const last = await world.hasp(...order());
      expect([last.code, last.err]).toEqual([0, ""]);
      expect(differences(outcomeOf(world), reference)).toEqual([]);
      const times = timesAsked(since);
      expect([...times.keys()].toSorted()).toEqual(asked.toSorted());
      for (const body of inFlight) times.set(body, (times.get(body) ?? 0) - 1);
      expect([...times].filter(([, count]) => count !== 1)).toEqual([]);
      expect(
        filesBelow(world.workspace).filter((name) => /\.(?:lock|tmp)$|\/live\/|\.incoming/.test(name)),
      ).toEqual([]);
    },
    PATIENCE,
  );
});

describe("an evolution that is interrupted", () => {
  it(
    "in a rollout, in a proposal and in its checks, says how to resume it",
    async () => {
      const moments = [
        whenHeld(after(5, isPolicy), CONCURRENCY),
        whenHeld(({ request }) => roleOf(request) === "author"),
        whenThere(EVO, "epoch_1/proposals.json"),
      ];
      for (const moment of moments) {
        const { code, out, err } = await endedBy("SIGINT", order(), moment);
        expect([code, err]).toEqual([1, ""]);
        expect(out).toContain(
          `Interrupted: repeat the command to resume ${EVO}; nothing that is done is done again.`,
        );
        expect(filesBelow(world.at(EVO)).filter((name) => /\.(?:lock|tmp)$|\/live\//.test(name))).toEqual([]);
      }
      const last = await world.hasp(...order());
      expect([last.code, last.err]).toEqual([0, ""]);
      expect(differences(outcomeOf(world), reference)).toEqual([]);
    },
    PATIENCE,
  );
});

describe("an evolution with a budget", () => {
  /** Dollars for a million tokens; the server counts words. */
  const PRICE = 1_000;
  const PRICES = ["--price", "1000/1000", "--author-price", "1000/1000", "--teacher-price", "1000/1000"];
  const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

  it(
    "stops before it is overrun, and resumes with more",
    async () => {
      const since = world.model.calls.length;
      let spent = 0;
      for (const most of [8, 30, 50]) {
        const { code, out, err } = await world.hasp(...order(...PRICES, "--max-dollars", String(most)));
        expect([code, err]).toEqual([1, ""]);
        expect(out).toContain(`The budget is spent: repeat the command to resume ${EVO}`);
        const now = Number(/, \$([\d.]+) spent/.exec(out)?.[1]);
        expect(now).toBeGreaterThan(spent);
        expect(now).toBeLessThanOrEqual(most);
        spent = now;
      }
      const last = await world.hasp(...order(...PRICES, "--max-dollars", "1000", "--json"));
      expect([last.code, last.err]).toEqual([0, ""]);
      expect(differences(outcomeOf(world), reference)).toEqual([]);
      const calls = world.model.calls.slice(since);
      expect(calls.map(bodyOf).toSorted()).toEqual(asked.toSorted());
      const tokens = calls.map(({ request }) => {
        const input = request.messages.reduce((sum, { content }) => sum + wordsIn(content), 0);
        const reply = play({ request });
        return input + wordsIn(reply.kind === "text" ? reply.text : "");
      });
      const cost = (tokens.reduce((a, b) => a + b, 0) * PRICE) / 1e6;
      expect((JSON.parse(last.out) as { dollars: number }).dollars).toBeCloseTo(cost, 6);
      // Another evolution asks the same, and all of it is in the cache.
      const other = ["-o", "other", "--generated", "other-skills/web-search/generated"];
      const again = await world.hasp(...order(...PRICES, "--max-dollars", "0", "--json", ...other));
      expect([again.code, (JSON.parse(again.out) as { dollars: number }).dollars]).toEqual([0, 0]);
    },
    PATIENCE,
  );
});

describe("an evolution whose model fails", () => {
  it.each([
    ["policy", 500],
    ["policy", 401],
    ["teacher", 500],
    ["author", 401],
    ["author", 500],
  ] as const)(
    "%s answers %i: ends with its words, and is resumed without what failed",
    async (role, status) => {
      const since = world.model.calls.length;
      const isOne = after(4, ({ request }) => roleOf(request) === role);
      const failing = role === "policy" ? isOne : ({ request }: LoopbackCall) => roleOf(request) === role;
      const failed: string[] = [];
      instead = (call) => {
        if (!failing(call)) return undefined;
        failed.push(bodyOf(call));
        return { kind: "status", status, message: "out of order", headers: { "retry-after-ms": "1" } };
      };
      const { code, err } = await world.hasp(...order("--epochs", "1"));
      expect(code).toBe(2);
      expect(err).toContain("out of order");
      expect(err).toContain("→");
      instead = () => undefined;
      const done = world.model.calls
        .slice(since)
        .map(bodyOf)
        .filter((body) => !failed.includes(body));
      const last = await world.hasp(...order());
      expect([last.code, last.err]).toEqual([0, ""]);
      expect(differences(outcomeOf(world), reference)).toEqual([]);
      const times = timesAsked(since);
      expect(done.filter((body) => times.get(body) !== 1)).toEqual([]);
      const episodes = world.lines<Episode>(EVO, "epoch_1/rollout/episodes.jsonl");
      expect(new Set(episodes.map(({ stopReason }) => stopReason))).toEqual(new Set(["final"]));
    },
    PATIENCE,
  );
});
