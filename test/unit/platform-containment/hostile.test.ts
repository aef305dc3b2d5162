import fs from "node:fs";
import process from "node:process";
import { afterAll, expect, test } from "vitest";
import { openBubblewrap } from "../../../src/platform/containment/bubblewrap.ts";
import { isContainment } from "../../../src/scoring/containment.ts";
import { folderForAll } from "../../support/folder-for-all.ts";
import { HOSTILE_ANSWERS } from "../../support/hostile-answers.ts";
import { canOthersRunSuite, openTargets, runOutside, runSuiteAs } from "../../support/hostile-suite.ts";

const opened = await openBubblewrap(1);
const canContain = isContainment(opened);
const why = isContainment(opened) ? "" : ` (skipped: ${opened.why})`;
if (isContainment(opened)) await opened.close();

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

function newFolder(uid?: number): string {
  const folder = folderForAll("hasp-hostile-");
  if (uid !== undefined) fs.chownSync(folder, uid, uid);
  folders.push(folder);
  return folder;
}

test.skipIf(!canContain)(
  `${HOSTILE_ANSWERS.length} hostile answers are contained${why}`,
  async () => {
    expect(HOSTILE_ANSWERS.length).toBeGreaterThanOrEqual(40);
    expect(await runSuiteAs(undefined, "bubblewrap", newFolder())).toEqual([]);
  },
  120_000,
);

const canBeStarted = canOthersRunSuite();

test.skipIf(!canContain || process.getuid?.() !== 0 || !canBeStarted)(
  `they are for a user without privileges too${canBeStarted ? why : " (skipped: only root may enter this folder)"}`,
  async () => {
    expect(await runSuiteAs(1234, "bubblewrap", newFolder(1234))).toEqual([]);
  },
  120_000,
);

test.skipIf(process.platform !== "linux")("the attacks that can be tried outside work there", async () => {
  const { targets, close } = await openTargets(newFolder());
  const tried = HOSTILE_ANSWERS.filter(({ worksOutside }) => worksOutside === true);
  const reports = await Promise.all(
    tried.map(async (answer) => ({ name: answer.name, report: await runOutside(answer, targets) })),
  );
  await close();
  expect(tried.length).toBeGreaterThanOrEqual(10);
  expect(reports.filter(({ report }) => !report.startsWith("escaped"))).toEqual([]);
});
