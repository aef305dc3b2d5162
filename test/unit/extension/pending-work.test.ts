import { describe, expect, it } from "vitest";
import { debounce } from "../../../src/extension/debounce.ts";
import { hold, settled, track } from "../../../src/extension/pending-work.ts";

/** Whether `settled` has resolved, a few turns of the event loop later. */
async function isSettled(): Promise<boolean> {
  let done = false;
  void settled().then(() => (done = true));
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => void setImmediate(resolve));
  return done;
}

describe("settled", () => {
  it("resolves where nothing is pending", async () => {
    expect(await isSettled()).toBe(true);
  });

  it("waits for each that holds, and for work until it fails", async () => {
    const [first, second] = [hold(), hold()];
    first();
    first();
    expect(await isSettled()).toBe(false);
    second();
    const { promise, reject } = Promise.withResolvers<void>();
    const tracked = track(promise).catch(() => "failed");
    expect(await isSettled()).toBe(false);
    reject(new Error("no"));
    expect(await tracked).toBe("failed");
    expect(await isSettled()).toBe(true);
  });

  it("waits for what begins as something else ends", async () => {
    const first = hold();
    let second = (): void => undefined;
    const waiting = settled();
    first();
    setImmediate(() => (second = hold()));
    expect(await Promise.race([waiting.then(() => "settled"), isSettled()])).toBe(false);
    second();
    await waiting;
  });

  it("waits for a debounce, also for one that its own call asks for, until it is disposed", async () => {
    let calls = 0;
    const one = debounce(1, () => {
      calls += 1;
      if (calls < 3) one.poke();
    });
    one.poke();
    await settled();
    expect(calls).toBe(3);
    const never = debounce(1_000_000, () => undefined);
    never.poke();
    expect(await isSettled()).toBe(false);
    never.dispose();
    expect(await isSettled()).toBe(true);
  });
});
