import { describe, expect, test } from "vitest";
import { lineQueue } from "../../../src/trace/line-queue.ts";

const MB = 1024 * 1024;

function queueInto(written: string[]) {
  return lineQueue((data) => {
    written.push(Buffer.from(data).toString("utf8"));
    return Promise.resolve();
  });
}

describe("lines on their way into a file", () => {
  test("values and texts of JSON keep their order and go out together", async () => {
    const written: string[] = [];
    const queue = queueInto(written);
    queue.add({ n: 1 });
    queue.addText('{"n":2}');
    queue.beat();
    queue.add("a text");
    await queue.settled();
    expect(written).toEqual(['{"n":1}\n{"n":2}\n\n"a text"\n']);
  });

  test("many large lines go out a megabyte at a time, each whole", async () => {
    const written: string[] = [];
    const queue = queueInto(written);
    const sizes = [0.4, 0.4, 0.4, 3, 0.1];
    for (const size of sizes) queue.addText(JSON.stringify("x".repeat(size * MB)));
    await queue.settled();
    expect(written.map((text) => text.split("\n").length - 1)).toEqual([3, 1, 1]);
    expect(written.join("").length).toBe(sizes.reduce((sum, size) => sum + Math.floor(size * MB) + 3, 0));
  });

  test("a failed write is told, and nothing is written after it", async () => {
    const written: string[] = [];
    const queue = lineQueue((data) => {
      written.push(Buffer.from(data).toString("utf8"));
      return Promise.reject(new Error("full"));
    });
    queue.addText("1");
    await expect(queue.settled()).rejects.toThrow("full");
    queue.addText("2");
    await expect(queue.settled()).rejects.toThrow("full");
    expect(written).toEqual(["1\n"]);
  });
});
