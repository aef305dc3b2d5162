import { describe, expect, it } from "vitest";
import { markdownText } from "../../../src/extension/review/markdown-text.ts";

describe("A teacher's text as Markdown", () => {
  it("has every sign escaped, so that none makes a link, an image, code or HTML", () => {
    expect(markdownText("![x](http://a.b) <img> `c` # d | e & f")).toBe(
      String.raw`\!\[x\]\(http\:\/\/a\.b\) \<img\> \`c\` \# d \| e \& f`,
    );
  });

  it("keeps its line breaks and its plain blanks, and no indentation that would be code", () => {
    expect(markdownText("ä word\n    next line")).toBe("ä word  \nnext line");
  });
});
