import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { threadCpuNow } from "../../src/platform/cpu-clock.ts";
import type { Library } from "../../src/analysis/library.ts";
import { codingAgent } from "../../src/domains/coding-agent/coding-agent.ts";
import type { Action } from "../../src/model/action.ts";
import type { PfProgram } from "../../src/model/skill.ts";
import { z } from "../../src/model/zod.ts";
import { createPfHost } from "../../src/sandbox/create-pf-host.ts";
import { FRESH_STATE, type PfHost, type PfVerdict } from "../../src/sandbox/pf-host.ts";
import { createSandbox, imageOf } from "../../src/sandbox/quickjs-host.ts";
import { keptRanges } from "../../src/sandbox/memory-snapshot.ts";
import { usedMemory, type RealmImage } from "../../src/sandbox/realm-image.ts";
import { advance, initialContext, withProposal } from "../../src/trace/context-at.ts";
import { loadSkills, openCore, ROOT } from "../support/core.ts";
import { THOROUGH } from "../support/thorough.ts";

/** What `hasp hook` runs: the shipped skills, from an image of a sandbox that another process filled. */
const core = openCore();
let library: Library;
let image: RealmImage | undefined;

beforeAll(async () => {
  library = await loadSkills(core, "skills/coding-agent");
  image = await imageOf(
    library.active.map(({ program }) => program),
    threadCpuNow,
  );
}, 60_000);
afterAll(async () => {
  await core.compiler.close();
  await core.host.close();
});

/** Programs that do not load: what decides can only be what is in the image. */
const broken = (): PfProgram[] => library.active.map(({ program }) => ({ ...program, code: "throw 1;" }));

async function hostFrom(from: RealmImage | undefined, programs: readonly PfProgram[]): Promise<PfHost> {
  const host = createPfHost(createSandbox(threadCpuNow, { image: from }));
  const loaded = await host.load(programs);
  expect(loaded.filter(({ ok }) => !ok)).toEqual([]);
  return host;
}

const file = path.join(ROOT, "test/fixtures/shell-commands.yaml");
const commands = z
  .array(z.looseObject({ command: z.string(), shell: z.literal("PowerShell").optional() }))
  .parse(parse(readFileSync(file, "utf8")))
  .filter((_, i) => THOROUGH || i % 4 === 0)
  .map(({ command, shell }): Action => ({ type: shell ?? "Bash", arg: JSON.stringify({ command }) }));

const call = (type: string, input: object): Action => ({ type, arg: JSON.stringify(input) });
const others: Action[] = [
  call("Read", { path: ".env" }),
  call("Write", { path: ".env", content: "KEY=1" }),
  call("Edit", { path: "src/a.ts", oldText: "a", newText: "console.log('here 1')" }),
  call("Edit", { path: "package-lock.json", oldText: "a", newText: "b" }),
  call("Bash", { command: "git add -A" }),
  { type: "FINAL", arg: "Done." },
  { type: "FINAL", arg: "Done." },
];

/** One session of all these actions: what each PF said, with what it remembers. */
async function session(host: PfHost): Promise<PfVerdict[][]> {
  const { contextRules: rules, actionTypes } = codingAgent;
  const project = [{ kind: "test" as const, command: "npm test" }];
  const facts = {
    domain: "coding-agent",
    actionTypes: [...actionTypes],
    searchReturnsText: false,
    maxSteps: 999,
    project,
  };
  let context = initialContext("Mend it.", facts, rules);
  let states = new Map(library.active.map(({ skill }) => [skill.skillId, FRESH_STATE]));
  const said: PfVerdict[][] = [];
  for (const proposed of [...commands, ...others]) {
    const asked = withProposal(context, { thought: "", action: proposed, world: { branch: "main" } }, rules);
    const verdicts = await host.step(states, { context: asked, proposed, actionTypes, maxModifyFires: 1000 });
    states = new Map(verdicts.map(({ skillId, state }) => [skillId, state]));
    said.push([...verdicts]);
    context = advance(context, { executed: proposed, observation: "ok" }, facts, rules);
  }
  return said;
}

describe("A sandbox from an image", () => {
  it("decides all that one does which was filled here", async () => {
    expect(image).toBeDefined();
    const from = await hostFrom(image, broken());
    try {
      const [here, there] = [await session(core.host), await session(from)];
      expect(there).toEqual(here);
      const fired = new Set(here.flat().flatMap(({ skillId, kind }) => (kind === "fired" ? [skillId] : [])));
      expect(fired.size).toBeGreaterThan(9);
      expect(here.flat().filter(({ kind }) => kind === "error")).toEqual([]);
    } finally {
      await from.close();
    }
  }, 120_000);

  it("is filled anew where the image is of another build, or another memory", async () => {
    const programs = library.active.map(({ program }) => program);
    for (const other of [{ mark: "another guest" }, { anchor: 8 }]) {
      const host = await hostFrom(image && { ...image, ...other }, programs);
      await host.close();
      const unlike = createPfHost(createSandbox(threadCpuNow, { image: image && { ...image, ...other } }));
      const [first] = await unlike.load(broken());
      expect(first?.ok).toBe(false);
      await unlike.close();
    }
  }, 60_000);

  it("keeps no image of what does not load", async () => {
    expect(await imageOf(broken(), threadCpuNow)).toBeUndefined();
  });
});

/** Where C's stack begins, which grows downwards, and where the static data end: from the first global and the data segments of QuickJS. */
function layoutOf(wasm: Uint8Array): { readonly stackTop: number; readonly dataEnd: number } {
  let at = 8;
  const leb = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  const constant = (): number => {
    expect(wasm[at++]).toBe(0x41);
    return leb();
  };
  let stackTop = 0;
  let dataEnd = 0;
  while (at < wasm.length) {
    const section = wasm[at++];
    const end = leb() + at;
    const count = section === 6 || section === 11 ? leb() : 0;
    if (section === 6) {
      at += 2;
      stackTop = constant();
    } else
      for (let i = 0; i < count; i++) {
        expect(leb()).toBe(0);
        const start = constant();
        at++;
        const length = leb();
        dataEnd = Math.max(dataEnd, start + length);
        at += length;
      }
    at = end;
  }
  return { stackTop, dataEnd };
}

it("leaves out of a snapshot nothing but C's stack", () => {
  const wasm = readFileSync(path.join(ROOT, "dist/quickjs.wasm"));
  const { stackTop, dataEnd } = layoutOf(wasm);
  const ranges = keptRanges(usedMemory(image as RealmImage));
  expect(ranges).toHaveLength(2);
  const [from = 0, to = 0] = [ranges[0]?.[1], ranges[1]?.[0]];
  expect(from).toBeGreaterThan(dataEnd + 128 * 1024);
  expect(to).toBeLessThan(stackTop);
  expect(to - from).toBeGreaterThan(2 * 1024 * 1024);
});
