import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { EPISODE_SCHEMA, type DomainFacts, type Episode, type Step } from "../../../src/model/episode.ts";
import { nodeFiles, type NodeFiles } from "../../../src/platform/files.ts";

export const files: NodeFiles = nodeFiles();

export const FACTS: DomainFacts = {
  domain: "web-search",
  actionTypes: ["SEARCH", "READ", "FINAL"],
  searchReturnsText: false,
  maxSteps: 6,
};

/** A folder that is gone after the test that calls this. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hasp-trace-"));
  // Not by `afterEach` here: test files share this module, and it would be heard by the first of them alone.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function step(t: number, type: string, arg: string, observation = "", thought = `thought ${t}`): Step {
  const action = { type, arg };
  return { t, proposals: [{ thought, action }], events: [], executed: action, injected: [], observation };
}

export function episode(id: string, parts: Partial<Episode> = {}): Episode {
  const steps = parts.steps ?? [step(0, "SEARCH", "who", "somebody"), step(1, "FINAL", "somebody")];
  return {
    schema: EPISODE_SCHEMA,
    id,
    questionId: `q-${id}`,
    sample: 1,
    outcome: "correct",
    question: "Who was it?",
    source: "hasp",
    facts: FACTS,
    library: [],
    stopReason: "final",
    ...parts,
    steps,
    length: steps.length,
  };
}
