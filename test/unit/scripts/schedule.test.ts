import { expect, test } from "vitest";
import { runTasks, secondsOf } from "../../../scripts/lib/schedule.mts";

interface Script {
  readonly name: string;
  readonly seconds: number;
  readonly lanes?: number;
  readonly isAlone?: boolean;
  readonly ready?: Promise<void>;
}

/** Runs the tasks in two lanes, a turn of the event loop for each of their seconds, and returns what began and ended. */
async function log(scripts: readonly Script[]): Promise<string[]> {
  const lines: string[] = [];
  const tasks = scripts.map(({ name, seconds, lanes = 1, isAlone, ready = Promise.resolve() }) => ({
    seconds,
    lanes,
    isAlone,
    ready,
    run: async () => {
      lines.push(`+${name}`);
      for (let turn = 0; turn < seconds; turn++) await new Promise((settle) => setImmediate(settle));
      lines.push(`-${name}`);
    },
  }));
  await runTasks(tasks, 2);
  return lines;
}

test("the longest start first, at most two at a time", async () => {
  const scripts = [1, 5, 20].map((seconds) => ({ name: `${seconds}`, seconds }));
  expect(await log(scripts)).toEqual(["+20", "+5", "-5", "+1", "-1", "-20"]);
});

test("one that takes both has nothing beside it, and comes after the others", async () => {
  const scripts = [
    { name: "alone", seconds: 9, lanes: 2 },
    { name: "a", seconds: 3 },
    { name: "b", seconds: 2 },
    { name: "also alone", seconds: 4, lanes: 2 },
  ];
  const expected = ["+a", "+b", "-b", "-a", "+alone", "-alone", "+also alone", "-also alone"];
  expect(await log(scripts)).toEqual(expected);
});

test("one that is ready does not wait for one that is not; one that takes both uses the time", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const lines = log([
    { name: "installs", seconds: 50, ready: promise },
    {
      name: "alone",
      seconds: 3,
      lanes: 2,
      ready: Promise.resolve().then(() => setImmediate(resolve) && undefined),
    },
  ]);
  expect(await lines).toEqual(["+alone", "-alone", "+installs", "-installs"]);
});

test("one that takes none starts at once, beside any other", async () => {
  const scripts = [
    { name: "alone", seconds: 4, lanes: 2 },
    { name: "a", seconds: 5 },
    { name: "b", seconds: 5 },
    { name: "waits", seconds: 7, lanes: 0 },
  ];
  expect(await log(scripts)).toEqual(["+waits", "+a", "+b", "-a", "-b", "+alone", "-waits", "-alone"]);
});

test("one that must be alone comes last, with nothing beside it and nothing being prepared", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(() => setImmediate(resolve));
  const scripts = [
    { name: "alone", seconds: 50, lanes: 2, isAlone: true },
    { name: "both", seconds: 2, lanes: 2 },
    { name: "installs", seconds: 3, ready: promise },
    { name: "waits", seconds: 9, lanes: 0 },
  ];
  const lines = await log(scripts);
  expect(lines.slice(-2)).toEqual(["+alone", "-alone"]);
  expect(lines).toHaveLength(8);
});

test("an estimate is those that take both, and half of the others or the longest of them", () => {
  const task = (seconds: number, lanes = 1) => ({ seconds, lanes });
  expect(secondsOf([task(10), task(10), task(10), task(7, 2)], 2)).toBe(22);
  expect(secondsOf([task(10), task(10), task(15, 0)], 2)).toBe(15);
  expect(secondsOf([task(50), task(10)], 2)).toBe(50);
  expect(secondsOf([task(10), task(15, 0), { ...task(20, 2), isAlone: true }], 2)).toBe(35);
  expect(secondsOf([], 2)).toBe(0);
});
