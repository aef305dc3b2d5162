import { afterAll, expect, test } from "vitest";
import { openCaseRuns } from "../../../src/app/cases.ts";
import { openCore, readFolders } from "../../support/core.ts";
import { paperSkill } from "../../support/shipped.ts";
import { judgingWith } from "./support.ts";

const core = openCore();
const { judging, open } = judgingWith(core);
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

async function folderOf(name: string) {
  const [folder] = await readFolders(core.compiler, paperSkill(name));
  if (folder === undefined) throw new Error("no skill");
  return folder;
}

test("cases of a skill run also where it is switched off or still the template", async () => {
  const runs = openCaseRuns(judging);
  const folder = await folderOf("retrieval-failure");
  const { value, diagnostics } = await runs.open({ ...folder, isDisabled: true, isTemplate: true });
  expect(diagnostics).toEqual([]);
  for (const test of folder.cases) expect((await value?.(test))?.result.passed).toBe(true);
  await runs.close();
  expect(open()).toBe(0);
});

test("a skill of which no case can be run says why, once", async () => {
  const runs = openCaseRuns(judging);
  const folder = await folderOf("retrieval-failure");
  const program = folder.program && { ...folder.program, code: "throw new Error('no')" };
  const broken = await runs.open({ ...folder, program });
  expect(broken.value).toBeUndefined();
  expect(broken.diagnostics.map(({ code }) => code)).toEqual(["HASP400"]);
  const text = await runs.open({ ...folder, program: undefined, pfSource: undefined });
  expect(text).toEqual({ value: undefined, diagnostics: [] });
  await runs.close();
});
