import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runProgram } from "../../../../../src/domains/code/judge/run-program.ts";
import type { ContainedEnd, Containment } from "../../../../../src/scoring/containment.ts";

/** A containment whose one program does what a test says. */
function scripted() {
  const waiting: string[] = [];
  const stops: string[] = [];
  const ended = Promise.withResolvers<ContainedEnd & { stdout: string; stderr: string }>();
  let isOver = false;
  let wake = (): void => undefined;
  async function* results(): AsyncGenerator<string> {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift() ?? "";
      if (isOver) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  const containment: Containment = {
    name: "scripted",
    python: "3.0.0",
    packages: new Set(),
    start: () => ({ results: results(), ended: ended.promise, stop: (why) => void stops.push(why) }),
    close: async () => undefined,
  };
  return {
    containment,
    stops,
    say(...lines: readonly unknown[]) {
      waiting.push(...lines.map((line) => JSON.stringify(line)));
      wake();
    },
    end(end: ContainedEnd) {
      isOver = true;
      ended.resolve({ ...end, stdout: "", stderr: "" });
      wake();
    },
  };
}

const EXITED = { kind: "exited", code: 0 } as const;
const STOPPED = { kind: "stopped", why: "time" } as const;
const VALUE = { shown: "1", text: "i1;" };

describe("the run of a program", () => {
  const { signal } = new AbortController();
  let program: ReturnType<typeof scripted>;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate"] });
    program = scripted();
  });
  afterEach(() => vi.useRealTimers());

  const run = () =>
    runProgram(
      { do: "calls", source: "" },
      { limitOf: () => 4_000, wholeMs: 8_000 },
      { containment: program.containment, signal },
    );
  /** All that waits for no clock. */
  const settle = () => vi.advanceTimersByTimeAsync(0);

  test("a test that is under way when its time is over is late", async () => {
    const ran = run();
    program.say(["begin", 0]);
    await settle();
    await vi.advanceTimersByTimeAsync(4_001);
    expect(program.stops).toEqual(["time"]);
    program.end(STOPPED);
    expect(await ran).toMatchObject({ late: 0, underWay: 0 });
  });

  test("a clock that is late itself takes what the program has written first", async () => {
    const ran = run();
    program.say(["begin", 0]);
    await settle();
    // The clock of the test is over, and this process reads only now.
    vi.advanceTimersToNextTimer();
    program.say(["done", 0, 0.1], ["value", 0, VALUE], ["begin", 1]);
    await settle();
    expect(program.stops).toEqual([]);
    program.say(["done", 1, 0.1], ["value", 1, VALUE], ["end"]);
    program.end(EXITED);
    const { late, reports } = await ran;
    expect([late, reports.size]).toEqual([undefined, 2]);
  });

  test("a program that ends by itself is not late", async () => {
    const ran = run();
    program.say(["begin", 0]);
    await settle();
    await vi.advanceTimersByTimeAsync(4_001);
    program.say(["done", 0, 4], ["value", 0, VALUE], ["end"]);
    program.end(EXITED);
    expect(await ran).toMatchObject({ late: undefined, end: EXITED });
  });

  test.each<[string, ContainedEnd, RegExp]>([
    ["did not start", { kind: "failed", message: "no room" }, /^scripted cannot start a program: no room$/],
    [
      "was stopped by its containment",
      { kind: "stopped", why: "stopped" },
      /stopped a program before its end/,
    ],
    ["ended before it was loaded", { kind: "exited", code: 1 }, /ended before it had loaded the program/],
    ["had no time to be loaded", STOPPED, /ended before it had loaded the program/],
  ])("a program that %s has no result", async (_, end, message) => {
    const ran = run();
    program.end(end);
    await expect(ran).rejects.toThrow(message);
  });
});
