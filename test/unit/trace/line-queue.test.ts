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

  test("many large lines go out in parts of a megabyte at most, and are whole in the file", async () => {
    const written: string[] = [];
    const queue = queueInto(written);
    const sizes = [0.4, 0.4, 0.4, 3, 0.1];
    const texts = sizes.map((size, i) => JSON.stringify(`${i}\u{1f600}`.repeat((size * MB) / 5)));
    for (const text of texts) queue.addText(text);
    await queue.settled();
    expect(written.join("")).toBe(`${texts.join("\n")}\n`);
    expect(Math.max(...written.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(MB);
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
