import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseReply } from "../../../src/domains/web-search/parse-reply.ts";
import { ROOT } from "../../support/core.ts";

/** A reply of a real model, Qwen2.5-Coder-1.5B-Instruct at temperature 0, and how it is to be read. */
interface RealReply {
  readonly why: string;
  /** The version of our prompt, or the form that another one asked for. */
  readonly prompt: string;
  readonly reply: string;
  readonly action: { readonly type: string; readonly arg?: string };
  /** Absent where either is right. */
  readonly lenient?: boolean;
  readonly thought?: string;
}

const file = path.join(ROOT, "test/fixtures/model/web-search/replies.json");
const replies = JSON.parse(readFileSync(file, "utf8")) as readonly RealReply[];

describe("replies of a real model", () => {
  test.each(replies)("$prompt: $why", ({ reply, action, lenient, thought }) => {
    const read = parseReply(reply);
    expect(read.action).toMatchObject(action);
    if (thought !== undefined) expect(read.thought).toBe(thought);
    if (lenient !== undefined) expect("lenient" in read && read.lenient === true).toBe(lenient);
  });
});
