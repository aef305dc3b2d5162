import { mkdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { judgeRecorded } from "../../../src/analysis/judge.ts";
import { openLibrary, type Library } from "../../../src/analysis/library.ts";
import { recordedLibrary } from "../../../src/app/recorded-library.ts";
import { libraryRefs } from "../../../src/evaluation/library-refs.ts";
import { openGeneratedLibrary } from "../../../src/evolve/generated-library.ts";
import type { CandidateTexts } from "../../../src/evolve/write-version.ts";
import { DEFAULT_CONTROL } from "../../../src/model/control.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { sha256 } from "../../../src/platform/sha256.ts";
import { findSkillFolders, readSkillFolder } from "../../../src/skill/read-skill.ts";
import { appendEpisode, readEpisode } from "../../../src/trace/episode-file.ts";
import { keepLibrary } from "../../../src/trace/library-store.ts";
import { openRun } from "../../../src/trace/run-folder.ts";
import { openCore } from "../../support/core.ts";
import { final, play, search } from "../../support/episodes.ts";
import { openWorld, orderOf, textsOf, type World } from "./library-world.ts";

const core = openCore();
const files = nodeFiles();
let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await Promise.all([core.host.close(), core.compiler.close()]);
  await world.remove();
});

/** A skill that answers every search with a text of its version. */
function telling(text: string): CandidateTexts {
  const pf = `import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

export default class Foo extends ProgramFunction {
  shouldActivate(_ctx: StepContext, actionType: ActionType): boolean {
    return actionType === "SEARCH";
  }
  intervene(): Intervention {
    return injectContext("${text}", "it searches");
  }
}
`;
  return { ...textsOf("foo"), "pf.ts": pf };
}

async function today(): Promise<Library> {
  const folders = await findSkillFolders(files, `${world.root}/skills`);
  const read = await Promise.all(folders.map((folder) => readSkillFolder(files, core.compiler, folder)));
  return openLibrary(read, core.host);
}

it("a run recorded with version 1 is judged with version 1 after version 2 was admitted", async () => {
  const generated = openGeneratedLibrary(world.ports, world.library);
  await generated.admit(orderOf(), telling("first version"));
  const library = await today();
  expect(library.diagnostics).toEqual([]);
  expect(library.kept).toMatchObject([{ skillId: "foo", version: 1, name: "foo", domain: "web-search" }]);
  const ran = await play({
    script: [search("a b c"), final("Jane Doe")],
    host: core.host,
    library: library.skills,
    control: { ...DEFAULT_CONTROL, pinnedSkills: ["foo"], enableDifficultyGating: false },
  });
  const run = `${world.root}/.hasp/runs/one`;
  await mkdir(run, { recursive: true });
  await keepLibrary(files, run, library.kept, { sha256, hide: (text) => text });
  await appendEpisode(files, `${run}/episodes.jsonl`, { ...ran, library: libraryRefs(library, sha256) });

  await generated.admit(orderOf({ id: "e2-c1", epoch: 2, version: 2 }), telling("second version"));
  const after = await today();
  expect(after.skills.map(({ skill }) => skill.version)).toEqual([2]);

  const opened = await openRun(files, run);
  const { value: episode } = await readEpisode(files, opened.index, 0);
  const { value: own, diagnostics } = await recordedLibrary(opened, {
    files,
    compiler: core.compiler,
    sha256,
  });
  expect(diagnostics).toEqual([]);
  expect(own?.map(({ skill }) => skill?.version)).toEqual([1]);
  const texts = async (with_: Library): Promise<string> =>
    JSON.stringify((await judgeRecorded(episode!, with_, core.host)).map(({ events }) => events));
  expect(await texts(after)).toContain("second version");
  const again = await texts(await openLibrary(own ?? [], core.host));
  expect(again).toBe(JSON.stringify(ran.steps.map(({ events }) => events)));
  expect(again).toContain("first version");
});
