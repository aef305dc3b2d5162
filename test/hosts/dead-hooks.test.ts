import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deadHookCheck } from "../../src/platform/dead-hooks.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { inSurroundings } from "../../src/platform/surroundings.ts";
import { type HostScene, openHostScene } from "./support/host-scene.ts";
import { turns } from "./support/model-server.ts";
import { REAL_HOSTS } from "./support/real-hosts.ts";

// What each host writes of a session itself, compared with our record of it.

let scene: HostScene;
afterEach(() => scene.close());

const run = async (...commands: readonly string[]): Promise<void> =>
  void (await scene.run("Tidy up.", turns(...commands.map((one) => ({ calls: [scene.host.shell(one)] })))));

/** The findings, and how many calls ran and were judged. */
async function compared() {
  const check = () => deadHookCheck(nodeFiles()).check(scene.repo);
  const { sessions } = await inSurroundings({ cwd: scene.repo, env: scene.env }, check);
  return {
    counts: sessions.map(({ ran, judged }) => [ran, judged]),
    found: sessions.flatMap(({ findings }) => findings.map(({ code, about }) => `${code} ${about}`)),
  };
}

describe.each(Object.values(REAL_HOSTS))("$name", (host) => {
  const isClaude = host.name === "claude-code";
  beforeEach(() => {
    scene = openHostScene(host);
  });

  test("nothing is found where each call was judged, failed and refused ones too", async () => {
    scene.install();
    await run("echo one", "false", "git reset --hard", "echo two");
    expect(await compared()).toEqual({ counts: [[3, 3]], found: [] });
  });

  test("the one call is found during which the hook was away", async () => {
    const hook = scene.installCopy();
    const [away, back] = [`mv ${hook} ${hook}.x`, `mv ${hook}.x ${hook}`].map((one) =>
      one.replaceAll(scene.base, "$BASE"),
    );
    scene.env["BASE"] = scene.base;
    await run("echo one", away ?? "", back ?? "", "echo two");
    const { counts, found } = await compared();
    expect(counts).toEqual([[4, 3]]);
    // Claude Code lists each hook: the one after the first call could not start either.
    expect(found.toSorted()).toEqual(isClaude ? [`HASP853 ${away}`, `HASP853 ${back}`] : [`HASP852 ${back}`]);
  });

  test("a session is found in which no hook could start", async () => {
    rmSync(scene.installCopy());
    await run("echo one");
    const { counts, found } = await compared();
    expect(counts).toEqual([[1, 0]]);
    const codes = new Set(found.map((one) => one.split(" ")[0]));
    expect([...codes]).toEqual([isClaude ? "HASP853" : "HASP855"]);
  });

  test("nothing is found without hooks", async () => {
    await run("echo one");
    expect(await compared()).toEqual({ counts: [[1, 0]], found: [] });
  });
});
