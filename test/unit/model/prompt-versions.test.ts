import { expect, test } from "vitest";
import { otherPrompts } from "../../../src/model/prompt-versions.ts";

const asked = (prompt?: string, policy = "openai:small") => ({
  title: `run of ${prompt ?? "nobody"}`,
  settings: { policy, ...(prompt !== undefined && { prompt }) },
});

test("two runs of different prompt versions get a warning that names both and what to do", () => {
  expect(otherPrompts(asked("web-search/3"), asked("web-search/4"))).toMatchObject([
    {
      code: "HASP865",
      severity: "warning",
      message: expect.stringContaining(
        "web-search/3 in run of web-search/3, web-search/4 in run of web-search/4",
      ),
      next: expect.stringContaining("Run the questions of the older version again"),
    },
  ]);
});

test.each([
  ["the same version", asked("web-search/3"), asked("web-search/3")],
  ["a record that does not say", asked("web-search/3"), asked()],
  ["a run without settings", asked("web-search/3"), { title: "import", settings: undefined }],
  ["a recording, which reads no prompt", asked("web-search/3"), asked("web-search/4", "recorded:runs/a")],
  ["settings of another kind", asked("web-search/3"), { title: "x", settings: { prompt: 4 } }],
])("%s gets none", (_name, a, b) => {
  expect(otherPrompts(a, b)).toEqual([]);
  expect(otherPrompts(b, a)).toEqual([]);
});
