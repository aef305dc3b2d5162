import { existsSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  CLI,
  differences,
  EVO,
  filesBelow,
  linesWith,
  openEvolveScene,
  outcomeOf,
  type EvolveScene,
} from "../support/evolve-scene.ts";
import { play, roleOf } from "../support/evolve-world.ts";
import { hasp, type Ended } from "../support/cli.ts";
import type { Behaviour, LoopbackCall } from "../support/loopback-model.ts";
import { THOROUGH } from "../support/thorough.ts";

/**
 * `hasp evolve` that is killed, interrupted, out of dollars or left by its models: it says so, and the same command ends it as if nothing
 * had happened. Every boundary at which it may be killed: unit/evolve/sittings.test.ts.
 */

const PATIENCE = 300_000;
const CONCURRENCY = 2;
/** Dollars for a million tokens; the server counts words. What an evolution costs: unit/evolve/sittings.test.ts. */
const PRICES = ["--price", "1000/1000", "--author-price", "1000/1000", "--teacher-price", "1000/1000"];
const ORDER = ["--worth", "off", "--min-cluster", "2", "--concurrency", String(CONCURRENCY), ...PRICES];

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
}

beforeAll(async () => {
  world = await openEvolveScene(12, (call) => {
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
afterAll(() => world.end());

/** Ends a command once as many of these requests as may be are under way at once. */
async function endedIn(is: Held, command: Promise<Ended>, end: () => void): Promise<Ended> {
  held = [];
  holds = (call) => {
    const isHeld = is(call);
    // The call that is looked at is not among them yet.
    if (isHeld && held.length === CONCURRENCY - 1) end();
    return isHeld;
  };
  const ended = await command;
  holds = () => false;
  return ended;
}

/** As by Ctrl-C. */
function interruptedIn(is: Held): Promise<Ended> {
  const stop = new AbortController();
  const { workspace: cwd, env } = world;
  return endedIn(is, hasp(order(), { cwd, env, signal: stop.signal }), () => stop.abort());
}

function killedIn(is: Held): Promise<Ended> {
  const { child, ended } = world.start([CLI, ...order()], "");
  return endedIn(is, ended, () => void child.kill("SIGKILL"));
}

const isPolicy: Held = ({ request }) => roleOf(request) === "policy";
/** From the n-th on. */
const after = (n: number, is: Held): Held => {
  let seen = 0;
  return (call) => is(call) && ++seen > n;
};
const inRun =
  (folder: string, is: Held): Held =>
  (call) =>
    is(call) && existsSync(world.at(EVO, folder, "run.json"));
const resumeIn = `repeat the command to resume ${EVO}; nothing that is done is done again.`;

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

describe("an evolution in several sittings", () => {
  it(
    "says why each of them ended, and ends as if nobody had disturbed it",
    async () => {
      startAnew();
      const since = world.model.calls.length;
      const inFlight: string[] = [];
      const keep = (): void => void inFlight.push(...held.map(bodyOf));

      const interrupted = await interruptedIn(after(5, isPolicy));
      keep();
      expect([interrupted.code, interrupted.err]).toEqual([1, ""]);
      expect(interrupted.out).toContain(`Interrupted: ${resumeIn}`);
      expect(filesBelow(world.at(EVO)).filter((name) => /\.(?:lock|tmp)$|\/live\//.test(name))).toEqual([]);

      const failed = new Map<string, number>();
      instead = (call) => {
        if (roleOf(call.request) !== "teacher") return undefined;
        failed.set(bodyOf(call), (failed.get(bodyOf(call)) ?? 0) + 1);
        return { kind: "status", status: 500, message: "out of order", headers: { "retry-after-ms": "1" } };
      };
      const left = await world.hasp(...order());
      instead = () => undefined;
      expect(left.code).toBe(2);
      expect(left.err).toContain("(500): out of order");
      expect(left.err).toMatch(/→ .*Then repeat the command: what is done is kept\./);

      const spent = await world.hasp(...order("--max-dollars", "30"));
      expect([spent.code, spent.err]).toEqual([1, ""]);
      expect(spent.out).toContain(`The budget is spent: ${resumeIn}`);
      expect(Number(/cost of all models: \$([\d.]+)$/m.exec(spent.out)?.[1])).toBeLessThanOrEqual(30);

      const killed = await killedIn(inRun("epoch_1/validation-after", isPolicy));
      keep();
      expect([killed.signal, killed.err]).toEqual(["SIGKILL", ""]);
      writeFileSync(world.at(EVO, "epoch_1/credit.json.0123abcd.tmp"), "{");

      const last = await world.hasp(...order("--max-dollars", "1000", "--json"));
      expect([last.code, last.err]).toEqual([0, ""]);
      expect(differences(outcomeOf(world), reference)).toEqual([]);
      const times = new Map<string, number>();
      for (const call of world.model.calls.slice(since))
        times.set(bodyOf(call), (times.get(bodyOf(call)) ?? 0) + 1);
      expect([...times.keys()].toSorted()).toEqual(asked.toSorted());
      for (const body of inFlight) times.set(body, (times.get(body) ?? 0) - 1);
      expect([...times].filter(([body, count]) => count - (failed.get(body) ?? 0) !== 1)).toEqual([]);
      expect(
        filesBelow(world.workspace).filter((name) => /\.(?:lock|tmp)$|\/live\/|\.incoming/.test(name)),
      ).toEqual([]);

      if (!THOROUGH) return;
      // Another evolution asks the same, and all of it is in the cache.
      const other = ["-o", "other", "--generated", "other-skills/web-search/generated"];
      const again = await world.hasp(...order("--max-dollars", "0", "--json", ...other));
      expect([again.code, (JSON.parse(again.out) as { dollars: number }).dollars]).toEqual([0, 0]);
    },
    PATIENCE,
  );
});

describe("an evolution with a budget", () => {
  it("is refused where a price is not known", async () => {
    startAnew();
    const unpriced = world.order("--max-dollars", "5", "--price", "1/1");
    const { code, err } = await world.hasp(...unpriced);
    expect([code, filesBelow(world.at(EVO))]).toEqual([2, []]);
    expect(err).toContain(`no price is known for ${world.spec("author")}`);
  });
});
