import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Episode } from "../../src/model/episode.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { readEpisodes } from "../../src/trace/episode-file.ts";
import { openRun } from "../../src/trace/run-folder.ts";
import { readReport } from "../../src/trace/stored-report.ts";
import { type HostScene, openHostScene } from "./support/host-scene.ts";
import { REAL_HOSTS } from "./support/real-hosts.ts";
import { ASKED, INSTEAD, rewoundSession, TAKEN_BACK } from "./support/rewound-session.ts";

// A person goes back in the terminal of the real Claude Code; its file has both ways, and the import tells them apart.

const files = nodeFiles();
let scene: HostScene;
beforeEach(() => {
  scene = openHostScene(REAL_HOSTS["claude-code"]);
});
afterEach(() => scene.close());

async function imported(session: string) {
  const run = path.join(scene.base, "run");
  scene.hasp("import", session, "-o", run);
  const episodes: Episode[] = [];
  for await (const { value } of readEpisodes(files, (await openRun(files, run)).index))
    if (value !== undefined) episodes.push(value);
  return { episodes, report: (await readReport(files, run)).value };
}

const did = ({ steps }: Episode): readonly string[] => steps.map(({ executed }) => executed.type);

test("what was said and done before a person went back is a branch that left the session at that step", async () => {
  const { episodes, report } = await imported(await rewoundSession(scene));
  const [live, branch, ...more] = episodes;
  expect(more).toEqual([]);
  expect(live).toMatchObject({ question: ASKED, outcome: "unjudged", stopReason: "final" });
  expect(live && did(live)).toEqual(["Bash", "FINAL", "Bash", "Read", "Edit", "FINAL"]);
  expect(live?.steps[1]?.extra?.["branches"]).toEqual([branch?.id]);
  expect(live?.steps[2]?.prompts).toEqual([INSTEAD]);
  expect(branch).toMatchObject({
    question: TAKEN_BACK,
    outcome: "abandoned",
    origin: { as: "branch", episode: live?.id, t: 1 },
  });
  expect(branch && did(branch)).toEqual(["Bash", "FINAL"]);
  expect(report).toMatchObject({
    abandoned: 1,
    abandonedSteps: 2,
    exactPrompts: 8,
    findings: [],
    unknown: [],
  });
});

test("all that came before is a branch of its own where they went back to the start", async () => {
  const { episodes, report } = await imported(await rewoundSession(scene, "first"));
  const [live, branch, ...more] = episodes;
  expect(more).toEqual([]);
  expect(live).toMatchObject({ question: INSTEAD, outcome: "unjudged" });
  expect(live && did(live)).toEqual(["Bash", "Read", "Edit", "FINAL"]);
  expect(branch).toMatchObject({ question: ASKED, outcome: "abandoned" });
  expect(branch?.origin).toEqual({ as: "branch", episode: live?.id });
  expect(branch && did(branch)).toEqual(["Bash", "FINAL", "Bash", "FINAL"]);
  expect(branch?.steps[2]?.prompts).toEqual([TAKEN_BACK]);
  expect(report).toMatchObject({ abandoned: 1, abandonedSteps: 4, findings: [], unknown: [] });
});
