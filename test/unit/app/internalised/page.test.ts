import { expect, it } from "vitest";
import { internalisedReport } from "../../../../src/analysis/internalised/report.ts";
import { internalisedMarkdown } from "../../../../src/app/internalised/page.ts";
import { NO_REPLIES } from "../../../../src/model/replies.ts";

it("lets no text of a run or a skill become markup, leave its cell or begin a line", () => {
  const one = {
    questionId: "q",
    question: "Q?",
    sample: 1,
    right: true,
    searches: 1,
    reads: 0,
    replies: NO_REPLIES,
    answersUnsearched: false,
  };
  const hostile = "a|b<img src=x>\n# [go](http://x) `c` \u202Eevil";
  const acted = { ...one, applied: new Set([hostile]), triggered: new Set([hostile]) };
  const page = internalisedMarkdown(
    internalisedReport({
      episodes: { beforeOn: [acted], afterOn: [acted] },
      titles: { beforeOn: hostile, afterOn: "plain" },
      library: [],
    }),
  );
  expect(page).not.toMatch(/(?<!\\)</);
  expect(page).not.toContain("\u202E");
  expect(page).not.toMatch(/^# \[/m);
  expect(page).toContain(String.raw`a\|b&lt;img src=x\> \# \[go\]\(http\:\/\/x\) \`c\` evil`);
  // Eight columns of the table of skills, whatever a name holds.
  const row = page.split("\n").find((line) => line.includes("too few questions"));
  expect(row?.match(/(?<!\\)\|/g)).toHaveLength(9);
});
