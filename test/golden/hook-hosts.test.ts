import { afterAll, describe, expect, it } from "vitest";
import { decisionOf, openScene, preEvent } from "../support/hook-process.ts";

const scene = openScene("hook-hosts");
afterAll(() => scene.close());

const MARK = "\uFEFF";

describe("an event is read however its host encodes it", () => {
  it.each<[string, (text: string) => Buffer]>([
    ["utf-8-mark", (text) => Buffer.from(MARK + text)],
    ["utf-16-le", (text) => Buffer.from(MARK + text, "utf16le")],
    ["utf-16-be", (text) => Buffer.from(MARK + text, "utf16le").swap16()],
  ])("%s", async (session, encode) => {
    const ended = await scene.hook(encode(JSON.stringify(preEvent(scene, session, "1"))));
    expect(ended).toMatchObject({ code: 0 });
    expect(decisionOf(ended)).toBe("deny");
  });
});

describe("a changed call where the environment says who sits there", () => {
  it.each([
    ["cli", "ask"],
    ["claude-vscode", "ask"],
    ["sdk-cli", "deny"],
    ["sdk-ts", "deny"],
    ["claude-code-github-action", "deny"],
  ])("%s: %s", async (entry, expected) => {
    scene.env["CLAUDE_CODE_ENTRYPOINT"] = entry;
    const ended = await scene.hook(preEvent(scene, entry, "1", "git push --force origin topic"));
    expect(decisionOf(ended)).toBe(expected);
    if (expected === "deny") expect(ended.out).toContain("Nothing ran:");
  });
});
