import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOOK_HOSTS, type HookHost } from "../../src/agents/hook/event.ts";
import { HOST_CONFIGS } from "../../src/agents/hook/install/host-configs.ts";
import { beforeCall } from "../../src/agents/hook/install/test-event.ts";
import { launcherText } from "../../src/platform/hook-launcher.ts";
import { ROOT } from "../support/core.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";
import { HOSTILE_LINES, lineHandler } from "../support/hostile-hooks.ts";

/** A clone brings hook files of its own: no command of `hasp hook` starts anything that they name. */
let scene: HookScene;
let canary: string;
beforeEach(() => {
  scene = openScene("clones");
  canary = path.join(scene.base, "canary");
  // Programs that the lines name, beside the clone's other files.
  mkdirSync(scene.at("bin"));
  for (const name of ["hasp", "node", "bin/hasp", "evil"]) {
    writeFileSync(scene.at(name), `#!/bin/sh\ntouch ${canary}\n`);
    chmodSync(scene.at(name), 0o755);
  }
  writeFileSync(scene.at("evil.cjs"), `require("node:fs").writeFileSync(${JSON.stringify(canary)}, "");`);
});
afterEach(() => scene.close());

const PATIENCE = 120_000;
const HOOK = path.join(ROOT, "dist/hook.cjs");

const projectFile = (host: HookHost): string => {
  const place = HOST_CONFIGS[host].places.project;
  if (place === undefined) throw new Error(`${host} has no file in a project.`);
  return scene.at(...place.path.split("/"));
};

function writeHooks(host: HookHost, entries: readonly object[]): string {
  const file = projectFile(host);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ hooks: { [beforeCall(host)]: entries } }, undefined, 2));
  return file;
}

const lineIn = (line: string): string => line.replaceAll("CANARY", canary);

interface Status {
  readonly places: readonly {
    readonly file: string;
    readonly state: string;
    readonly problems: readonly string[];
    readonly notOurs: readonly { readonly code: string; readonly message: string }[];
    readonly test?: { readonly works: boolean };
  }[];
}

async function statusOf(
  host: HookHost,
): Promise<Status["places"][number] & { readonly code: number | null }> {
  const { code, out } = await scene.hasp("hook", "status", "--host", host, "--json");
  const { places } = JSON.parse(out) as Status;
  const found = places.find(({ file }) => file === projectFile(host));
  if (found === undefined) throw new Error("The file is not in the status.");
  return { ...found, code };
}

describe.each(HOOK_HOSTS)("a hook file of %s in a clone", (host) => {
  const half = Math.ceil(HOSTILE_LINES.length / 2);
  it.each([HOSTILE_LINES.slice(0, half), HOSTILE_LINES.slice(half)])(
    "starts nothing, and each line is named as not ours: %s, …",
    { timeout: PATIENCE },
    async (...lines) => {
      const file = writeHooks(
        host,
        lines.map((line) => lineHandler(host, lineIn(line))),
      );
      const before = readFileSync(file, "utf8");
      const status = await statusOf(host);
      expect(status).toMatchObject({ code: 1, state: "not-ours" });
      expect(status.notOurs).toHaveLength(lines.length);
      expect(status.test).toBeUndefined();
      await scene.hasp("hook", "status", "--host", host);
      await scene.hasp("hook", "explain", "ls", "--host", host);
      const scope = ["--host", host, "--project", "--yes"];
      expect((await scene.hasp("hook", "install", ...scope)).out).toContain("HASP840");
      expect((await statusOf(host)).test?.works).toBe(true);
      await scene.hasp("hook", "uninstall", ...scope);
      expect(readFileSync(file, "utf8")).toBe(before);
      expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
      expect(existsSync(canary)).toBe(false);
    },
  );

  it(
    "is named where it starts a program of another place, and is not tested",
    { timeout: PATIENCE },
    async () => {
      const programs = [
        { file: scene.at("node"), args: [HOOK] },
        { file: process.execPath, args: [scene.at("dist/hook.cjs")] },
        { file: process.execPath, args: [scene.at("hasp-hook.cjs")] },
        { file: "/usr/bin/env", args: ["ELECTRON_RUN_AS_NODE=1", scene.at("node"), HOOK] },
      ];
      mkdirSync(scene.at("dist"));
      for (const name of ["dist/hook.cjs", "hasp-hook.cjs"])
        writeFileSync(scene.at(name), readFileSync(scene.at("evil.cjs")));
      writeHooks(
        host,
        programs.map((program) => HOST_CONFIGS[host].entry(beforeCall(host), program)),
      );
      const status = await statusOf(host);
      expect(status).toMatchObject({ code: 1, state: "not-ours" });
      expect(status.notOurs.map(({ code }) => code)).toEqual(programs.map(() => "HASP842"));
      expect(existsSync(canary)).toBe(false);
    },
  );

  it(
    "is ours as installing writes it, and the test asks our own program",
    { timeout: PATIENCE },
    async () => {
      await scene.hasp("hook", "install", "--host", host, "--project", "--yes");
      expect(await statusOf(host)).toMatchObject({
        code: 0,
        state: "installed",
        notOurs: [],
        test: { works: true },
      });
    },
  );

  it(
    "is ours where it starts the editor's file, as long as that starts this HASP",
    { timeout: PATIENCE },
    async () => {
      const launcher = path.join(scene.base, "hasp-hook.cjs");
      const program = { file: process.execPath, args: [launcher] };
      writeHooks(host, [HOST_CONFIGS[host].entry(beforeCall(host), program)]);
      writeFileSync(launcher, launcherText(HOOK));
      expect(await statusOf(host)).toMatchObject({ state: "partial", notOurs: [], test: { works: true } });
      writeFileSync(launcher, launcherText(scene.at("evil.cjs")));
      expect(await statusOf(host)).toMatchObject({ state: "not-ours", notOurs: [{ code: "HASP842" }] });
      expect(existsSync(canary)).toBe(false);
    },
  );

  it("is not read where it is a pipe, or nested without end", { timeout: PATIENCE }, async () => {
    const file = writeHooks(host, []);
    writeFileSync(file, `{"hooks": ${"[".repeat(200_000)}`);
    expect(await statusOf(host)).toMatchObject({ code: 1, state: "broken" });
    rmSync(file);
    execFileSync("mkfifo", [file]);
    expect(await statusOf(host)).toMatchObject({ code: 1, state: "broken" });
  });
});

it("a shell would run the lines: the test above can fail", () => {
  const [line = ""] = HOSTILE_LINES;
  try {
    execFileSync("sh", ["-c", lineIn(line)], { cwd: scene.workspace, stdio: "ignore" });
  } catch {
    // There may be no `hasp` on the PATH.
  }
  expect(existsSync(canary)).toBe(true);
});

describe("the bare command", () => {
  it("is ours, and says where the agent could not start it", { timeout: PATIENCE }, async () => {
    const config = HOST_CONFIGS["claude-code"];
    const hooks = config.events.map((event) => [
      event,
      [config.entry(event, { file: "hasp", args: ["hook"] })],
    ]);
    const file = projectFile("claude-code");
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ hooks: Object.fromEntries(hooks) as object }));
    scene.env["PATH"] = path.join(scene.base, "nothing");
    expect(await statusOf("claude-code")).toMatchObject({
      code: 1,
      state: "installed",
      problems: ["`hasp` is not on the PATH, so the agent cannot start it"],
    });
    scene.env["PATH"] = scene.at("bin");
    expect(await statusOf("claude-code")).toMatchObject({
      code: 0,
      state: "installed",
      test: { works: true },
    });
    expect(existsSync(canary)).toBe(false);
  });
});

describe("backups", () => {
  const folder = (): string => path.dirname(projectFile("claude-code"));
  const MINE = '{\n  // mine\n  "model": "x"\n}\n';
  const install = (...more: string[]) =>
    scene.hasp("hook", "install", "--host", "claude-code", "--project", "--yes", ...more);
  const uninstall = () => scene.hasp("hook", "uninstall", "--host", "claude-code", "--project", "--yes");

  it("go with the hooks, those of several installations, too", async () => {
    const file = projectFile("claude-code");
    mkdirSync(folder());
    writeFileSync(file, MINE);
    await install();
    scene.env["PATH"] = scene.at("bin");
    await install();
    expect(readdirSync(folder())).toHaveLength(3);
    await uninstall();
    expect(readFileSync(file, "utf8")).toBe(MINE);
    expect(readdirSync(folder())).toEqual([path.basename(file)]);
  });

  it("stay where they hold what the file has lost, and foreign files stay", async () => {
    const file = projectFile("claude-code");
    mkdirSync(folder());
    writeFileSync(file, MINE);
    const foreign = `${file}.hasp-backup-mine`;
    writeFileSync(foreign, MINE);
    await install();
    writeFileSync(file, readFileSync(file, "utf8").replace('"model": "x"', '"model": "y"'));
    const { out } = await uninstall();
    expect(readFileSync(file, "utf8")).toBe(MINE.replace("x", "y"));
    expect(out).toContain("Kept, since it holds more");
    const left = readdirSync(folder()).filter((name) => name !== path.basename(file));
    expect(left).toHaveLength(2);
    expect(left.map((name) => readFileSync(path.join(folder(), name), "utf8"))).toEqual([MINE, MINE]);
  });
});
