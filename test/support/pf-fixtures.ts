import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import type { PfProgram } from "../../src/model/skill.ts";
import type { StepContext } from "../../src/model/step-context.ts";
import type { RecordedProposal } from "../../src/sandbox/pf-host.ts";

const root = path.resolve(import.meta.dirname, "../fixtures/pf");

/** A PF of test/fixtures/pf, e.g. `good/shorten`. */
export function pfFixture(name: string, priority = 0.5): PfProgram {
  const file = path.join(root, `${name}.js`);
  return { skillId: path.basename(name), priority, file, code: readFileSync(file, "utf8") };
}

export function pfFixtureNames(folder: string): string[] {
  return readdirSync(path.join(root, folder)).map((file) => `${folder}/${path.parse(file).name}`);
}

export function pfFrom(skillId: string, code: string): PfProgram {
  return { skillId, priority: 0.5, file: `${skillId}/pf.ts`, code };
}

export function question(type: string, arg: string, context: Partial<StepContext> = {}): RecordedProposal {
  return {
    context: {
      question: "Which town is the painter from who made the mural?",
      stepCount: 0,
      maxSteps: 10,
      hasRead: false,
      searchCount: 0,
      readCount: 0,
      emptyResults: false,
      contradictorySources: false,
      actionHistory: [],
      lastSearchResultsText: "",
      allReadContents: [],
      thought: "",
      ...context,
    },
    proposed: { type, arg },
    actionTypes: ["SEARCH", "READ", "FINAL"],
    maxModifyFires: 2,
    replies: undefined,
  };
}
