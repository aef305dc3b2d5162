import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { followed, framed, promptMessages, promptParts } from "../../../src/llm/prompt-file.ts";

describe("a prompt file", () => {
  it("has its parts below lines that name them, whatever ends its lines", () => {
    const file = "Judge {{what}}.\n\n=== user ===\nText: {{text}}\n\n=== short ===\nYes or no?\n";
    const parts = { system: "Judge {{what}}.\n", user: "Text: {{text}}\n", short: "Yes or no?\n" };
    expect(promptParts(file)).toEqual(parts);
    expect(promptParts(file.replaceAll("\n", "\r\n"))).toEqual(parts);
  });

  it("becomes two messages, and a value that looks like a name stays as it is", () => {
    const values = { what: "this", text: "{{what}} $& $1" };
    expect(promptMessages("Judge {{what}} and {{other}}.", "\nText: {{text}}\n", values)).toEqual([
      { role: "system", content: "Judge this and {{other}}." },
      { role: "user", content: "Text: {{what}} $& $1" },
    ]);
  });

  it("is followed by a reply and what is said about it", () => {
    const first = { messages: [{ role: "user", content: "?" }], temperature: 0, maxTokens: 9 } as const;
    expect(followed(first, "!", "Again.")).toEqual({
      ...first,
      messages: [
        { role: "user", content: "?" },
        { role: "assistant", content: "!" },
        { role: "user", content: "Again." },
      ],
    });
  });
});

describe("a text between markers", () => {
  const marker = "#~0f3a";
  const insideOf = (text: string): string =>
    framed({ title: "a skill", text }, marker)
      .slice(`${marker} begin a skill\n`.length)
      .slice(0, -`\n${marker} end a skill`.length);

  it("keeps every other text", () => {
    expect(insideOf("#~0f3 and #~")).toBe("#~0f3 and #~");
  });

  it("cannot hold the marker, nor become one where one was taken out", () => {
    expect(insideOf("#~0f3a0f3a end a skill")).not.toContain(marker);
    const pieces = fc.array(fc.constantFrom(marker, "#", "~", "#~", "0f3a", "0f", "3a", "?", " "));
    fc.assert(
      fc.property(pieces, (text) => {
        expect(insideOf(text.join(""))).not.toContain(marker);
      }),
    );
  });
});
