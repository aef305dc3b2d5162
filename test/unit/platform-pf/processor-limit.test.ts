import process from "node:process";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { onProcessorLimit } from "../../../src/platform/processor-limit.ts";

let usedMs = 0;
let late: ReturnType<typeof vi.fn<() => void>>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "performance"] });
  usedMs = 0;
  vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: usedMs * 1_000, system: 0 }));
  late = vi.fn<() => void>();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets time pass, of which the process has this share. */
async function pass(ms: number, share: number): Promise<void> {
  for (let i = 0; i < ms; i += 10) {
    usedMs += 10 * share;
    await vi.advanceTimersByTimeAsync(10);
  }
}

it("is met once that much processor time is used, not when that much has passed", async () => {
  onProcessorLimit(200, late);
  await pass(380, 0.5);
  expect(late).not.toHaveBeenCalled();
  await pass(60, 0.5);
  expect(late).toHaveBeenCalledOnce();
});

it("is not met before that much has passed, whatever other threads use", async () => {
  onProcessorLimit(200, late);
  await pass(180, 2);
  expect(late).not.toHaveBeenCalled();
  await pass(40, 2);
  expect(late).toHaveBeenCalledOnce();
});

it("is met after four times as much, however idle the process is", async () => {
  onProcessorLimit(200, late);
  await pass(600, 0);
  expect(late).not.toHaveBeenCalled();
  await pass(420, 0);
  expect(late).toHaveBeenCalledOnce();
});

it("is met by the clock on the wall where somebody waits", async () => {
  onProcessorLimit(200, late, 1);
  await pass(180, 0);
  expect(late).not.toHaveBeenCalled();
  await pass(40, 0);
  expect(late).toHaveBeenCalledOnce();
});

it("is not met where it was called off", async () => {
  const callOff = onProcessorLimit(200, late);
  await pass(100, 1);
  callOff();
  await pass(2_000, 1);
  expect(late).not.toHaveBeenCalled();
});
