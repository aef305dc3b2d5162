import { describe, expect, it, vi } from "vitest";

import type { ExperimentConfig } from "../../../../src/model/experiment.ts";
import { shippedConfig } from "../../../../src/training/shipped-configs.ts";
import {
  configOf,
  type Draft,
  mayAskTeacher,
  needsTeacher,
} from "../../../../src/extension/experiments/plan.ts";

vi.mock("vscode", () => ({}));

const draft = (config: ExperimentConfig, more: Partial<Draft> = {}): Draft =>
  ({ root: undefined, rollouts: {}, config, ...more }) as unknown as Draft;

describe("The configuration of a draft", () => {
  it("is the shipped one with the student, the start and the retriever that were chosen", () => {
    const start = { kind: "adapter", folder: "a" } as const;
    const own = configOf(
      draft(shippedConfig("e3"), { model: "m", start, searched: "paragraphs", teacher: "t" }),
    );
    expect(own).toMatchObject({
      model: "m",
      start,
      rollout: { retriever: "corpus" },
      teacher: { model: "t" },
    });
    expect(own?.train).toEqual(shippedConfig("e3").train);
  });

  it("has no teacher of corrections where the method has none", () => {
    expect(configOf(draft(shippedConfig("e1"), { teacher: "t" }))?.teacher).toBeNull();
    expect(configOf(draft(shippedConfig("e1")))).toEqual(shippedConfig("e1"));
  });
});

describe("A teacher", () => {
  it("is needed for corrections and for snippets, and may be asked by the harness", () => {
    const e1 = shippedConfig("e1");
    const corpus = { ...e1, rollout: { ...e1.rollout, retriever: "corpus" as const } };
    expect([e1, corpus, shippedConfig("e3")].map(needsTeacher)).toEqual([true, false, true]);
    const pfOnly = { ...corpus, rollout: { ...corpus.rollout, setting: "pf-only" as const } };
    expect([corpus, pfOnly].map(mayAskTeacher)).toEqual([true, false]);
  });
});
