import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { judgeRecorded } from "../../../src/analysis/judge.ts";
import { openLibrary } from "../../../src/analysis/library.ts";
import { libraryOf, recordedLibrary } from "../../../src/app/recorded-library.ts";
import { libraryRefs } from "../../../src/evaluation/library-refs.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import { DEFAULT_CONTROL, SETTING_CONTROL, SETTINGS } from "../../../src/model/control.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { sha256 } from "../../../src/platform/sha256.ts";
import { findSkillFolders, readSkillFolder, type SkillFolder } from "../../../src/skill/read-skill.ts";
import { appendEpisode, readEpisode } from "../../../src/trace/episode-file.ts";
import { keepLibrary } from "../../../src/trace/library-store.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { openCore } from "../../support/core.ts";
import { final, play, read, search } from "../../support/episodes.ts";
import { PF_POOL } from "../../support/pf-pool.ts";
import { THOROUGH } from "../../support/thorough.ts";

const core = openCore();
const files = nodeFiles();
let base = "";
let pool: readonly SkillFolder[] = [];

const HANDLERS = ["", "    handler: code\n", ""];
const MODES = ["all", "web-search", "agent"];
const HOMES = ["web-search/", "", "agent/"];

function skillMd(id: string, priority: number, i: number): string {
  const name = id.replaceAll("_", "-");
  return `---
name: ${name}
description: Use when a test draws ${id} from the pool of programs.
metadata:
  hasp:
    skill_id: ${id}
    title: ${id}
    version: ${1 + (i % 3)}
    priority: ${priority}
    error_category: made
    applicable_modes: [${MODES[i % 5] ?? "all"}]
    applicable_phases: [think]
${HANDLERS[i % 3] ?? ""}    system_summary: Summary of ${id}.
---

# ${id}
`;
}

beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), "hasp-own-library-"));
  // Every third program, so that all triggers and acts are in it.
  const drawn = PF_POOL.filter((_, i) => i % 3 === 0);
  for (const [i, { skillId, priority, code }] of drawn.entries()) {
    const folder = `${base}/skills/${HOMES[i % 7] ?? "web-search/"}${skillId.replaceAll("_", "-")}`;
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/SKILL.md`, skillMd(skillId, priority, i));
    await writeFile(`${folder}/pf.ts`, code);
  }
  const folders = await findSkillFolders(files, `${base}/skills`);
  pool = await Promise.all(folders.map((folder) => readSkillFolder(files, core.compiler, folder)));
  // From here on the machine has none of them.
  await rm(`${base}/skills`, { recursive: true });
});
afterAll(async () => {
  await Promise.all([core.host.close(), core.compiler.close()]);
  await rm(base, { recursive: true });
});

const action = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a b c d", "e f g", "again 1").map(search) },
  fc.constantFrom("doc_0", "doc_9").map(read),
  fc.constantFrom("Jane Doe", "unknown").map(final),
);
const control = fc
  .record({
    setting: fc.constantFrom(...SETTINGS),
    open: fc.constantFrom(true, true, false),
    contextBudget: fc.constantFrom(6, 160, 900),
    maxSteps: fc.integer({ min: 3, max: 9 }),
    enableRetry: fc.boolean(),
  })
  .map(({ setting, open, ...more }) => ({
    ...DEFAULT_CONTROL,
    ...SETTING_CONTROL[setting],
    ...more,
    ...(open && { skillsEnabled: true, enableProgramFunctions: true, enableTeacher: true }),
    enableDifficultyGating: false,
  }));
const teacher = fc.option(fc.constant(scriptedModel(({ messages }) => `${messages.length} words`)), {
  nil: undefined,
});

it("a run is judged as it ran with the library that its folder keeps, on a machine that has none of its skills", async () => {
  const seen = new Set<string>();
  let runs = 0;
  const task = fc.record({
    drawn: fc.uniqueArray(fc.nat({ max: 36 }), { minLength: 3, maxLength: 10, size: "max" }),
    script: fc.array(action, { minLength: 2, maxLength: 8, size: "max" }),
    control,
    teacher,
  });
  await fc.assert(
    fc.asyncProperty(task, async ({ drawn, teacher: asked, ...played }) => {
      const folders = drawn.flatMap((i) => pool[i] ?? []);
      const library = await openLibrary(folders, core.host);
      const pinnedSkills = library.active.map(({ skill }) => skill.skillId);
      const ran = await play({
        ...played,
        host: core.host,
        library: library.skills,
        control: { ...played.control, pinnedSkills },
        ...(asked !== undefined && { teacher: asked }),
      });
      const made = `${base}/made-${(runs += 1)}`;
      await mkdir(made);
      await keepLibrary(files, made, library.kept, { sha256, hide: (text) => text });
      const refs = libraryRefs(library, sha256);
      await appendEpisode(files, `${made}/episodes.jsonl`, { ...ran, library: refs });
      const elsewhere = `${base}/another-machine-${runs}`;
      await rename(made, elsewhere);

      const opened = await openRun(files, elsewhere);
      const ports = { files, compiler: core.compiler, sha256 };
      const { value: episode } = await readEpisode(files, opened.index, 0);
      const { value: own, diagnostics } = await recordedLibrary(opened, ports);
      expect(diagnostics).toEqual([]);
      expect(await libraryOf(elsewhere, refs, ports)).toEqual({ value: own, diagnostics: [] });
      const again = await openLibrary(own ?? [], core.host);
      const judged = await judgeRecorded(episode!, again, core.host);
      expect(judged.map(({ events, executed, injected }) => ({ events, executed, injected }))).toEqual(
        ran.steps.map(({ events, executed, injected }) => ({ events, executed, injected })),
      );
      for (const { status } of ran.steps.flatMap(({ events }) => events)) seen.add(status);
    }),
    // Ten of any seed may not have each status.
    THOROUGH ? { numRuns: 30 } : { numRuns: 10, seed: 1 },
  );
  for (const status of ["skipped", "limited", "applied", "noop", "error"]) expect(seen).toContain(status);
}, 120_000);
