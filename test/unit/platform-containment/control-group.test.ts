import fs from "node:fs";
import { availableParallelism } from "node:os";
import process from "node:process";
import { expect, test } from "vitest";
import { openControlGroup } from "../../../src/platform/containment/control-group.ts";
import { openBubblewrap } from "../../../src/platform/containment/bubblewrap.ts";
import { startInterpreter } from "../../../src/platform/containment/interpreter.ts";
import { openContainment } from "../../../src/platform/containment/open-containment.ts";
import { PRELUDE } from "../../../src/platform/containment/prelude.ts";
import { systemPython } from "../../../src/platform/containment/system-python.ts";
import { onPath } from "../../../src/platform/python-environment.ts";
import { isContainment } from "../../../src/scoring/containment.ts";

const opened = await openBubblewrap(1);
const why = isContainment(opened) ? "" : ` (skipped: ${opened.why})`;
if (isContainment(opened)) await opened.close();

/** Files of this process's groups with that name. */
const inGroups = (name: string): readonly string[] =>
  fs
    .globSync(`/sys/fs/cgroup/**/hasp-contained-${process.pid}-*/${name}`)
    .map((file) => fs.readFileSync(file, "utf8").trim());

const probe = openControlGroup();
probe?.close();

test.skipIf(probe === undefined)("a group has its limits, takes no swap, and goes", () => {
  const folders = (): number => fs.globSync(`/sys/fs/cgroup/**/hasp-contained-${process.pid}-*`).length;
  const before = folders();
  const group = openControlGroup();
  group?.limitMemory(1 << 30);
  expect(inGroups("pids.max")).toContain("128");
  expect(inGroups("memory.{max,limit_in_bytes}")).toContain(`${1 << 30}`);
  expect(new Set(inGroups("memory.{swap.max,swappiness}"))).toEqual(new Set(["0"]));
  group?.close();
  expect(folders()).toBe(before);
});

test.skipIf(probe === undefined || !isContainment(opened))(
  `of a thousand places only those that this machine has processors for are used, and have groups, and at most twice as many and one wait${why}`,
  async () => {
    const containment = await openContainment(1000);
    if (!isContainment(containment)) throw new Error(containment.why);
    const limits = { wallMs: 20_000, memoryBytes: 1 << 30, outputBytes: 4096 };
    const order = { program: "print(1)", input: "", limits };
    const most = availableParallelism();
    const before = inGroups("pids.max").length;
    const programs = Array.from({ length: 2 * most }, () =>
      containment.start(order, new AbortController().signal),
    );
    for (const { ended } of programs) expect(await ended).toMatchObject({ stdout: "1\n" });
    const groups = inGroups("pids.max").length - before;
    expect(groups).toBeGreaterThan(most);
    expect(groups).toBeLessThanOrEqual(3 * most + 1);
    await containment.close();
    expect(inGroups("pids.max")).toHaveLength(before);
  },
);

test.skipIf(!isContainment(opened))(
  `a program runs where its process may not enter its group${why}`,
  async () => {
    const refused = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
    const group = {
      limitMemory: () => undefined,
      add: () => Promise.reject(refused),
      close: () => undefined,
    };
    const [bubblewrap = ""] = onPath("bwrap", process.env);
    const python = systemPython() ?? "";
    const interpreter = startInterpreter({ bubblewrap, python, prelude: PRELUDE, mounts: [], group });
    expect(await interpreter.ready).toBe(true);
    const limits = { wallMs: 20_000, memoryBytes: 1 << 30, outputBytes: 4096 };
    interpreter.run({ program: "print(1)", input: "", limits });
    expect(await interpreter.ended).toMatchObject({ kind: "exited", code: 0, stdout: "1\n" });
  },
);
