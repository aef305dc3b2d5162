import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { EPISODE_SCHEMA, type DomainFacts, type Episode, type Step } from "../../../src/model/episode.ts";
import { nodeFiles, type NodeFiles } from "../../../src/platform/files.ts";

export const files: NodeFiles = nodeFiles();

export const FACTS: DomainFacts = {
  domain: "web-search",
  actionTypes: ["SEARCH", "READ", "FINAL"],
  searchReturnsText: false,
  maxSteps: 6,
};

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hasp-trace-"));
  folders.push(folder);
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
