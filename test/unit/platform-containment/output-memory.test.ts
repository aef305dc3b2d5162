import { PassThrough } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { boundedText } from "../../../src/platform/containment/bounded-text.ts";
import { lineQueue } from "../../../src/platform/containment/line-queue.ts";

const CHUNKS = 50_000;

/** Bytes that are in use, each chunk as the system hands it over: with memory of its own. */
function used(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test("an endless line, written byte by byte, takes little more memory than its bytes", async () => {
  const queue = lineQueue(() => undefined);
  queue.push(Buffer.from("ready\n"));
  const stream = new PassThrough();
  const text = boundedText(stream, () => CHUNKS);
  const before = used();
  for (let i = 0; i < CHUNKS; i++) {
    queue.push(Buffer.allocUnsafeSlow(1).fill(120));
    stream.emit("data", Buffer.allocUnsafeSlow(1).fill(121));
  }
  expect(used() - before).toBeLessThan(10 * CHUNKS);
  queue.end();
  const lines: string[] = [];
  for await (const line of queue) lines.push(line);
  expect(lines).toEqual(["x".repeat(CHUNKS)]);
  expect(text.text()).toBe("y".repeat(CHUNKS));
});

test("lines come as they were, however the system cuts them", async () => {
  const whole = Buffer.from(`ready\n${"é".repeat(70_000)}\n\nb\nlast`);
  for (const size of [1, 2, 3, 65_536, whole.length]) {
    const queue = lineQueue((first) => expect(first).toBe("ready"));
    for (let at = 0; at < whole.length; at += size) queue.push(whole.subarray(at, at + size));
    queue.end();
    const lines: string[] = [];
    for await (const line of queue) lines.push(line);
    expect(lines).toEqual(["é".repeat(70_000), "", "b", "last"]);
  }
});
