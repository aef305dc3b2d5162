import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { filesBelow } from "../../../src/platform/files-below.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { runExperiment } from "../../../src/training/run-experiment.ts";
import { checkPlaces, readState, type ExperimentFile } from "../../../src/training/state.ts";
import { FakeMachine, orderOf, servicesOn, workspace } from "./support.ts";

/** The workspace of an experiment, and its file. */
async function begun(): Promise<{ readonly root: string; readonly file: ExperimentFile }> {
  const root = workspace();
  await runExperiment(orderOf("e1"), servicesOn(new FakeMachine(root), root));
  const file = JSON.parse(readFileSync(`${root}/exp/experiment.json`, "utf8")) as ExperimentFile;
  return { root, file };
}

describe("experiment.json of a stranger", () => {
  it.each([
    ["id", "../../x"],
    ["id", "3FA9C2D1"],
    ["domain", "../../../other"],
    ["domain", "/etc"],
  ])("with another %s cannot be read: %j", async (field, value) => {
    const { root, file } = await begun();
    const files = filesBelow(root, nodeFiles());
    expect((await readState(files, "exp")).value).toEqual(file);
    await files.writeText("exp/experiment.json", JSON.stringify({ ...file, [field]: value }));
    const { value: read, diagnostics } = await readState(files, "exp");
    expect(read).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "HASP687", message: expect.stringContaining(`${field}: `) }]);
  });

  it.each([
    ["pool", { pool: [{ run: "../other/run", episodes: 1, hash: "" }] }],
    ["pool", { pool: [{ run: "/elsewhere/run", episodes: 1, hash: "" }] }],
    ["skills", { skills: ["../other/skills"] }],
  ])("names no %s outside of the workspace that a resume would open: %j", async (field, change) => {
    const { root, file } = await begun();
    const files = filesBelow(root, nodeFiles());
    const { value, diagnostics } = await checkPlaces(files, { ...file, ...change }, "exp");
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { code: "HASP820", message: expect.stringContaining(`\`${field}\` of exp/experiment.json names`) },
    ]);
  });

  it("of the last version is resumed", async () => {
    const { root, file } = await begun();
    const files = filesBelow(root, nodeFiles());
    const own = {
      ...file,
      pool: [{ run: `${root}/.hasp/runs/first`, episodes: 1, hash: "" }],
      skills: ["builtin:web-search", "./skills/"],
    };
    expect((await checkPlaces(files, own, "exp")).value).toBe(true);
  });
});
