import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ModelError, type ChatRequest, type ModelFailure } from "../../../src/llm/chat-model.ts";
import type { Boundary } from "../../support/deeds.ts";
import { differences, EVO, filesBelow, outcomeOf } from "../../support/evolve-scene.ts";
import { openEvolveSittings, WIDTH } from "../../support/evolve-sittings.ts";
import { teacherTask, type Role } from "../../support/evolve-world.ts";
import { THOROUGH } from "../../support/thorough.ts";

/**
 * An evolution that is killed, interrupted, out of dollars or left by its models ends as one that nobody disturbs, and no reply that was
 * kept is asked for again. The command, and real signals: golden/evolve-kills.test.ts.
 */

const PATIENCE = 600_000;

const sittings = openEvolveSittings(16);
let reference: Record<string, string>;
let asked: readonly string[];
/** In the order of the undisturbed evolution, each once. */
const boundaries = new Set<string>();

const nameOf = ({ side, deed }: Boundary): string => `${side} ${deed}`;
/** Without numbers: episodes, epochs and candidates have kinds of files in common. */
const kindOf = (deed: string): string => deed.replaceAll(/\d+/g, "n");
const DONE = { epochs: 2, endedBy: undefined };

beforeAll(async () => {
  const { ended } = await sittings.sit({
    isEnd(boundary) {
      boundaries.add(nameOf(boundary));
      return false;
    },
  });
  expect(ended?.value).toMatchObject(DONE);
  reference = outcomeOf(sittings);
  asked = sittings.asked.toSorted();
}, PATIENCE);
beforeEach(() => sittings.startAnew());
afterAll(() => sittings.close());

/** `lost`: how many replies may have been given and not kept. */
function expectUndisturbed(lost: number): void {
  expect(differences(outcomeOf(sittings), reference)).toEqual([]);
  expect([...new Set(sittings.asked)].toSorted()).toEqual(asked);
  expect(new Set(sittings.kept).size).toBe(sittings.kept.length);
  expect(sittings.asked.length - sittings.kept.length).toBeLessThanOrEqual(lost);
  const left = filesBelow(sittings.at()).filter((name) => /\.(?:lock|tmp)$|\/live\/|\.incoming/.test(name));
  expect(left).toEqual([]);
}

it("asks nothing twice where nobody disturbs it", () => {
  expect(new Set(asked).size).toBe(asked.length);
  expect(boundaries.size).toBeGreaterThan(250);
});

it(
  "killed at every kind of deed in turn",
  async () => {
    // One sitting after the other, before the first deed of one kind and after that of the next. Thorough: each deed is a kind of its own.
    // After a deed and before the next one the same is on the disk.
    const groupOf = THOROUGH ? (deed: string): string => deed : kindOf;
    const first = new Map<string, Boundary>();
    const isChosen = ({ side, deed }: Boundary): boolean => {
      const kind = groupOf(deed);
      if (!first.has(kind)) first.set(kind, { side: first.size % 2 === 0 ? "before" : "after", deed });
      return first.get(kind)?.deed === deed && first.get(kind)?.side === side;
    };
    const killed = new Set<string>();
    const isEnd = (boundary: Boundary): boolean => isChosen(boundary) && !killed.has(nameOf(boundary));
    for (;;) {
      const { killedAt, ended } = await sittings.sit({ isEnd });
      if (killedAt !== undefined) killed.add(nameOf(killedAt));
      else {
        expect(ended?.value).toMatchObject(DONE);
        break;
      }
    }
    expect(killed.size).toBeGreaterThan(THOROUGH ? 150 : 30);
    expectUndisturbed(WIDTH * killed.size);
  },
  PATIENCE,
);

it.runIf(THOROUGH)(
  "killed once, at every seventh boundary alone",
  async () => {
    // Before and after a deed take turns, and so do they among these.
    const chosen = [...boundaries].filter((_, i) => i % 7 === 0);
    for (const name of chosen) {
      sittings.startAnew();
      const { killedAt, ended } = await sittings.sit({ isEnd: (boundary) => nameOf(boundary) === name });
      // An episode that ends at once writes no live log: whether one does depends on the machine.
      expect(killedAt !== undefined || name.includes("/live/"), name).toBe(true);
      expect((ended ?? (await sittings.sit()).ended)?.value).toMatchObject(DONE);
      expectUndisturbed(WIDTH);
    }
  },
  PATIENCE,
);

type Moment = (role: Role, request: Pick<ChatRequest, "messages">) => boolean;

/** The n-th request that is one of these, and all after it. */
const from = (n: number, is: Moment): Moment => {
  let seen = 0;
  return (...call) => is(...call) && ++seen >= n;
};
const isOf =
  (wanted: Role): Moment =>
  (role) =>
    role === wanted;
const isTask =
  (task: ReturnType<typeof teacherTask>): Moment =>
  (role, { messages }) =>
    role === "teacher" && teacherTask({ messages: [...messages] }) === task;

it(
  "interrupted in a rollout, a summary, a proposal and a review",
  async () => {
    for (const isNow of [
      from(6, isOf("policy")),
      isTask("summary"),
      from(2, isOf("author")),
      isTask("review"),
    ]) {
      const controller = new AbortController();
      const beforeReply = (...call: Parameters<Moment>): void => {
        if (isNow(...call)) controller.abort(new Error("Interrupted"));
      };
      const { ended } = await sittings.sit({ signal: controller.signal, beforeReply });
      expect(ended?.value).toMatchObject({ epochs: 0, endedBy: "cancelled" });
      const left = filesBelow(sittings.at(EVO)).filter((name) => /\.(?:lock|tmp)$|\/live\//.test(name));
      expect(left).toEqual([]);
    }
    expect((await sittings.sit()).ended?.value).toMatchObject(DONE);
    expectUndisturbed(0);
  },
  PATIENCE,
);

it(
  "out of dollars, before each is overrun",
  async () => {
    let spent = 0;
    for (const maxDollars of [8, 45]) {
      const { value } = (await sittings.sit({ maxDollars })).ended ?? {};
      expect(value).toMatchObject({ endedBy: "budget", dollars: expect.closeTo(sittings.dollars(), 6) });
      expect(value?.dollars).toBeGreaterThan(spent);
      expect(value?.dollars).toBeLessThanOrEqual(maxDollars);
      spent = value?.dollars ?? Number.NaN;
    }
    const last = await sittings.sit({ maxDollars: 1_000 });
    expect(last.ended?.value).toMatchObject({ ...DONE, dollars: expect.closeTo(sittings.dollars(), 6) });
    expectUndisturbed(0);
  },
  PATIENCE,
);

it(
  "left by each of its models, without what failed",
  async () => {
    const failures: readonly (readonly [ModelFailure, Moment])[] = [
      ["server_error", from(5, isOf("policy"))],
      ["unauthorised", from(5, isOf("policy"))],
      ["server_error", isOf("teacher")],
      ["unauthorised", isOf("author")],
      ["server_error", isOf("author")],
    ];
    for (const [kind, isFailing] of failures) {
      const beforeReply = (...call: Parameters<Moment>): void => {
        if (isFailing(...call)) throw new ModelError(kind, `${kind} of the ${call[0]}`, "See to it.");
      };
      await expect(sittings.sit({ beforeReply })).rejects.toMatchObject({
        message: expect.stringContaining(`${kind} of `),
        next: "See to it. Then repeat the command: what is done is kept.",
      });
    }
    expect((await sittings.sit()).ended?.value).toMatchObject(DONE);
    expectUndisturbed(0);
  },
  PATIENCE,
);
