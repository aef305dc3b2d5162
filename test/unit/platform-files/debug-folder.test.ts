import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { SourceMap } from "node:module";
import { afterAll, describe, expect, it } from "vitest";
import { writeDebugFolder, type DebugStep } from "../../../src/platform/debug-folder.ts";
import { commandOf, nodeAt, ownNode, recentNodeOnPath } from "../../../src/platform/debug-node.ts";
import { identityMap } from "../../../src/platform/debug-source-map.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { HASP_WORDS } from "../../../src/sandbox/hasp-words.ts";
import { transpile } from "../../../src/skill/transpile.ts";
import { question } from "../../support/pf-fixtures.ts";

const folder = mkdtempSync(path.join(tmpdir(), "hasp-debug-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PF = `import { modifyAction, ProgramFunction, type Intervention, type StepContext } from "hasp";
export default class Once extends ProgramFunction {
  shouldActivate(ctx: StepContext): boolean {
    return ctx.memory["seen"] === 1 && ctx.searchCount === 2;
  }
  async intervene(ctx: StepContext): Promise<Intervention> {
    return modifyAction({ type: "READ", arg: ctx.question, reason: "as recorded" });
  }
}
`;

function stepOf(source: string, more: Partial<DebugStep> = {}): DebugStep {
  const { context, proposed } = question("SEARCH", "x", { searchCount: 2 });
  const code = transpile(source, "pf.ts").value ?? "";
  return { pfFile: path.join(folder, "pf.ts"), code, context, proposed, memory: { seen: 1 }, ...more };
}

async function run(step: DebugStep): Promise<{ stdout: string; stderr: string }> {
  const { program, nodeArguments } = await writeDebugFolder(nodeFiles(), path.join(folder, "once"), step);
  return promisify(execFile)(process.execPath, [...nodeArguments, program]).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
}

describe("the script that a debugger starts", () => {
  it("prints what the PF decides on the recorded step, with its own memory", async () => {
    const { stdout } = await run(stepOf(PF));
    expect(stdout).toContain('Proposed: SEARCH("x")');
    expect(stdout).toContain('"newActionType": "READ"');
    expect(stdout).toContain('"newActionArg": "Which town');
  });

  it("says that it does not fire, and then does not intervene", async () => {
    const { stdout } = await run(stepOf(PF, { memory: {} }));
    expect(stdout).toContain("Does not fire");
    expect(stdout).not.toContain("newActionType");
  });

  it("finds every word that the sandbox offers", async () => {
    const { stdout, stderr } = await run(
      stepOf(
        PF.replace(
          "modifyAction, Prog",
          `${HASP_WORDS.filter((word) => word !== "ProgramFunction").join(", ")}, Prog`,
        ).replace('"as recorded"', "typeof changeCommand + typeof gitCall + freshQuery(ctx)?.length"),
      ),
    );
    expect(stderr).toBe("");
    expect(stdout).toMatch(/functionfunction\d+/);
  });

  it("finds nothing but hasp for a PF to import", async () => {
    const { stdout, stderr } = await run(stepOf(`import "node:fs";\n${PF}`));
    expect(stdout).toBe("");
    expect(stderr).toContain('imports "hasp" and nothing else, not "node:fs"');
  });

  it("names lines of pf.ts where the PF throws, by its source map", async () => {
    const step = stepOf(PF.replace("return ctx.memory", 'throw new Error("here");\n    return ctx.memory'));
    const { program, nodeArguments } = await writeDebugFolder(nodeFiles(), path.join(folder, "throws"), step);
    const args = ["--enable-source-maps", ...nodeArguments, program];
    const failed = await promisify(execFile)(process.execPath, args).catch((error: unknown) => error);
    expect(String((failed as { stderr?: string }).stderr)).toContain(`${step.pfFile}:4:`);
  });
});

describe("the source map", () => {
  it("maps every word to the place where it stands", () => {
    const code = "const a = 1;\r\n\r\n  if (a) b.c();\n";
    const map = new SourceMap(JSON.parse(identityMap(code, "pf.mjs", "file:///skills/pf.ts")) as never);
    const lines = code.split(/\r?\n/);
    lines.forEach((line, row) => {
      for (const { index } of line.matchAll(/\w+|\S/g))
        expect(map.findEntry(row, index)).toMatchObject({
          originalSource: "file:///skills/pf.ts",
          originalLine: row,
          originalColumn: index,
        });
    });
  });
});

describe("the Node that debugs", () => {
  const here = path.dirname(process.execPath);
  const current = { path: path.join(here, "node"), version: process.versions.node };

  /** A folder with a program that says it is this version of Node. */
  function nodeOf(version: string): string {
    const bin = mkdtempSync(path.join(folder, "bin-"));
    writeFileSync(path.join(bin, "node"), `#!/bin/sh\necho v${version}\n`, { mode: 0o755 });
    return bin;
  }

  it("is the first recent one on the PATH, whatever old one comes before", async () => {
    const folders = ["relative", "/nowhere", nodeOf("20.20.2"), here];
    const found = await recentNodeOnPath({ PATH: folders.join(path.delimiter) }, process.platform);
    expect(found).toEqual(current);
  });

  it("is not there where the PATH has none or an old one", async () => {
    expect(await recentNodeOnPath({ PATH: nodeOf("20.20.2") }, process.platform)).toBeUndefined();
    expect(await recentNodeOnPath({ PATH: "/nowhere" }, process.platform)).toBeUndefined();
    expect(await recentNodeOnPath({}, process.platform)).toBeUndefined();
  });

  it("is named by an absolute path, and answers with its version", async () => {
    expect(await nodeAt(current.path)).toEqual(current);
    expect(await nodeAt("node")).toBeUndefined();
    expect(await nodeAt("/bin/ls")).toBeUndefined();
  });

  it("is the editor's own else, which is an Electron on the desktop", () => {
    expect(ownNode(process)).toEqual({ path: process.execPath, version: process.versions.node });
    const electron = { ...process.versions, electron: "39.0.0" };
    const own = ownNode({ execPath: "/opt/code/code", versions: electron });
    expect(own).toEqual({ path: "/opt/code/code", version: process.versions.node, isElectron: true });
  });

  it("runs an Electron as a Node by the command itself, on each system", async () => {
    const electron = { ...current, isElectron: true };
    expect(commandOf(current, "linux")).toEqual({ executable: current.path, leading: [] });
    expect(commandOf(electron, "win32").leading).toEqual([
      "/d",
      "/c",
      "set",
      "ELECTRON_RUN_AS_NODE=1&&",
      current.path,
    ]);
    const { executable, leading } = commandOf(electron, "darwin");
    const asked = [...leading, "-p", "process.env.ELECTRON_RUN_AS_NODE"];
    expect((await promisify(execFile)(executable, asked)).stdout).toBe("1\n");
  });
});
