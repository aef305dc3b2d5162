import { describe, expect, it } from "vitest";
import { resumeOrder } from "../../../../src/app/run/resume.ts";
import { MAX_SAMPLES } from "../../../../src/model/sampling.ts";
import type { Run } from "../../../../src/model/episode.ts";

const runOf = (samples: unknown): Run => ({
  schema: "hasp.run/1",
  id: "run",
  title: "run",
  domain: "web-search",
  createdAt: "2026-01-01T00:00:00.000Z",
  source: "hasp",
  settings: { policy: "model", questions: { file: "questions.jsonl" }, samples },
});

describe("the order that goes on with a run", () => {
  it("has the number of samples of run.json, and one where it names none", () => {
    expect(resumeOrder(runOf(MAX_SAMPLES))).toMatchObject({ samples: MAX_SAMPLES });
    expect(resumeOrder(runOf(undefined))).toMatchObject({ samples: 1 });
  });

  it.each([1e9, 0, -1, 1.5, "4"])("is none where run.json names %j samples", (samples) => {
    expect(resumeOrder(runOf(samples))).toBeUndefined();
  });
});
