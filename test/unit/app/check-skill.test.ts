import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { fixSkill, openSkillChecks } from "../../../src/app/check-skill.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { readSkillFolder, type SkillFolder } from "../../../src/skill/read-skill.ts";
import { openCore, ROOT } from "../../support/core.ts";
import { paperSkill } from "../../support/shipped.ts";
import { judgingWith } from "./support.ts";

const core = openCore();
const { judging, open } = judgingWith(core);
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

const read = (folder: string): Promise<SkillFolder> =>
  readSkillFolder(nodeFiles(), core.compiler, path.resolve(ROOT, folder));

test("a clean skill is run: mock calls, then its cases", async () => {
  const checks = openSkillChecks(judging);
  const folder = await read(paperSkill("retrieval-failure"));
  const { ran, diagnostics } = await checks.check({ folder, mockCalls: "where clean", cases: true });
  expect(diagnostics).toEqual([]);
  expect(ran?.score).toBe(1);
  expect(ran?.cases?.length).toBe(folder.cases.length);
  expect(open()).toBe(1);
  await checks.close();
  expect(open()).toBe(0);
});

test("a run of the same content is not repeated", async () => {
  const checks = openSkillChecks(judging);
  const folder = await read(paperSkill("retrieval-failure"));
  const order = { mockCalls: "where clean", cases: true } as const;
  const first = await checks.check({ folder, ...order });
  expect((await checks.check({ folder: { ...folder }, ...order })).ran).toBe(first.ran);
  const program = folder.program && { ...folder.program, code: `${folder.program.code}\n` };
  expect((await checks.check({ folder: { ...folder, program }, ...order })).ran).not.toBe(first.ran);
  await checks.close();
});

test("what has errors runs only where the caller wants the mock calls always, and then without its cases", async () => {
  const checks = openSkillChecks(judging);
  const folder = await read(paperSkill("retrieval-failure"));
  const [case1] = folder.cases;
  if (case1 === undefined) throw new Error("no case");
  const error = { code: "HASP300", severity: "error", message: "no", range: case1.range } as const;
  const broken = { ...folder, diagnostics: [error] };
  const careful = await checks.check({ folder: broken, mockCalls: "where clean", cases: true });
  expect(careful).toEqual({ ran: undefined, diagnostics: [error] });
  const always = await checks.check({ folder: broken, mockCalls: "always", cases: true });
  expect(always.ran).toMatchObject({ score: 1, cases: undefined });
  const never = await checks.check({ folder, mockCalls: "never", cases: true });
  expect(never.ran).toBeUndefined();
  await checks.close();
});

test("a pf.ts that does not compile fails the syntax check, is told once, and is checked again once it changes", async () => {
  const checks = openSkillChecks(judging);
  const file = path.resolve(ROOT, paperSkill("retrieval-failure"), "pf.ts");
  const readWith = (pf: string): Promise<SkillFolder> => {
    const files = nodeFiles();
    const withPf = {
      ...files,
      readText: async (name: string, most: number) =>
        name === file ? { kind: "text" as const, text: pf } : files.readText(name, most),
    };
    return readSkillFolder(withPf, core.compiler, path.dirname(file));
  };
  const check = async (pf: string) =>
    checks.check({ folder: await readWith(pf), mockCalls: "always", cases: false });
  const { ran, diagnostics } = await check("export default class {");
  expect(ran?.checks.map(({ outcome }) => outcome)).toEqual(["failed", "not run", "not run", "not run"]);
  expect(ran?.score).toBe(0);
  const places = diagnostics.map(({ code, range }) => `${code} ${JSON.stringify(range)}`);
  expect(new Set(places).size).toBe(places.length);
  const [syntax] = (await check("\n\nexport default class {")).ran?.checks ?? [];
  expect(syntax?.diagnostics[0]?.range.start.line).toBe(2);
  await checks.close();
});

test("a case that fails brings its fix, which needs the text of cases.yaml", async () => {
  const checks = openSkillChecks(judging);
  const folder = await read(paperSkill("retrieval-failure"));
  const cases = folder.cases.map((one) =>
    one.expect.fires ? { ...one, expect: { ...one.expect, fires: false } } : one,
  );
  const { diagnostics } = await checks.check({
    folder: { ...folder, cases },
    mockCalls: "where clean",
    cases: true,
  });
  const failed = diagnostics.filter(({ code }) => code === "HASP310");
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.every(({ fixes = [] }) => fixes.length > 0)).toBe(true);
  await checks.close();
});

test("fixes what needs no choice, in memory", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "late-read-"));
  try {
    const text =
      "---\nname: wrong-name\ndescription: Use it.\nmetadata:\n  hasp:\n    priorty: 0.5\n---\n# T\n";
    await writeFile(path.join(folder, "SKILL.md"), text);
    const [fixed] = await fixSkill(folder, { files: nodeFiles(), compiler: core.compiler });
    expect(fixed?.before).toBe(text);
    expect(fixed?.after).toContain("priority: 0.5");
  } finally {
    await rm(folder, { recursive: true });
  }
});
