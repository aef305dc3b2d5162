import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { allDomains } from "../../../src/domains/registry.ts";
import type { AdmissionOrder } from "../../../src/evolve/admission-record.ts";
import type { LibraryFiles } from "../../../src/evolve/library-files.ts";
import type { LibraryPorts } from "../../../src/evolve/library-place.ts";
import type { CandidateTexts } from "../../../src/evolve/write-version.ts";
import type { EvolvedCandidate } from "../../../src/model/evolution.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { libraryFiles } from "../../../src/platform/library-files.ts";
import { candidateOf } from "./candidates.ts";

const PF = `import { noop, ProgramFunction, type Intervention } from "hasp";

export default class Quiet extends ProgramFunction {
  shouldActivate(): boolean {
    return false;
  }
  intervene(): Intervention {
    return noop("never");
  }
}
`;

/** A skill as an author writes it: version 1, whatever it becomes in a library. */
export function textsOf(skillId: string, mark = "", version = 1): CandidateTexts {
  return {
    "SKILL.md": `---
name: ${skillId.replaceAll("_", "-")}
description: Use when a test admits ${skillId} to a library of generated skills.
metadata:
  hasp:
    skill_id: ${skillId}
    version: ${version}
    priority: 0.5 # in the middle
    error_category: ${skillId}
    applicable_modes: [all]
---

# ${skillId}

Text ${mark}.
`,
    "pf.ts": `${PF}// ${mark}\n`,
    "cases.yaml": `cases:
  - name: says nothing
    context: { question: "Who?" }
    proposed: { type: SEARCH, arg: "who" }
    expect: { fires: false }
`,
  };
}

export function orderOf(over: Partial<EvolvedCandidate> = {}, evolution = "web-1"): AdmissionOrder {
  const { skillId = "foo" } = over;
  const name = skillId.replaceAll("_", "-");
  return { evolution, gate: "strict", worthOn: false, candidate: candidateOf({ skillId, name, ...over }) };
}

export interface World {
  readonly root: string;
  /** `skills/web-search/generated`. */
  readonly library: string;
  readonly evolution: string;
  readonly ports: LibraryPorts;
  remove(): Promise<void>;
}

export async function openWorld(files: LibraryFiles = libraryFiles(nodeFiles())): Promise<World> {
  const root = await mkdtemp(path.join(tmpdir(), "hasp-library-"));
  let now = Date.UTC(2030, 0, 1);
  const clock = { now: () => new Date((now += 1000)).toISOString() };
  await mkdir(`${root}/skills`);
  return {
    root,
    library: `${root}/skills/web-search/generated`,
    evolution: `${root}/evolutions/web-1`,
    ports: { files, clock, domains: allDomains() },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** Every file below a folder with its text, by its path there. Locks and the history have a life of their own. */
export async function filesBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith("library_history.json"));
  const texts = paths.toSorted().map(async (name) => [name, await readFile(path.join(folder, name), "utf8")]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

/** The same without what is retired. */
export async function activeBelow(folder: string): Promise<Record<string, string>> {
  const all = await filesBelow(folder);
  return Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith(".")));
}

/** The power fails at the `at`-th change of the disk, from 0: nothing is done from then on, no lock is given back in order. */
export function failingAt(
  files: LibraryFiles,
  at: number,
): LibraryFiles & { readonly changes: () => number } {
  let changes = 0;
  const step = async (work: () => Promise<void>): Promise<void> => {
    if (changes++ >= at) throw new Error("power failure");
    await work();
  };
  return {
    ...files,
    changes: () => changes,
    writeText: (file, text) => step(() => files.writeText(file, text)),
    moveFolder: (from, to) => step(() => files.moveFolder(from, to)),
    removeFolder: (folder) => step(() => files.removeFolder(folder)),
  };
}

export async function put(folder: string, texts: CandidateTexts): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(texts))
    if (text) await writeFile(`${folder}/${name}`, text as string);
}
