import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { hasp } from "../support/cli.ts";
import { HOSTILE_TYPESCRIPT, hostilePf, REFUSED_TYPESCRIPT } from "../support/hostile-typescript.ts";
import { THOROUGH } from "../support/thorough.ts";

const place = mkdtempSync(path.join(tmpdir(), "hasp-leash-"));

/** Each costs a worker: one that takes too long, one that needs too much memory, one that cannot be read; thorough: all. */
const SAMPLE = ["a recursive union", "unions of string literals", "a sum of 20,000 numbers"];
const HOSTILE = Object.entries(HOSTILE_TYPESCRIPT).filter(([name]) => THOROUGH || SAMPLE.includes(name));

interface Validated {
  readonly skills: readonly { readonly folder: string; readonly diagnostics: readonly Diagnostic[] }[];
}

const folderOf = (name: string): string => `skills/web-search/${name.replaceAll(/[^\w]+/g, "-")}`;

function writeSkill(name: string, pf: string): void {
  const folder = path.join(place, folderOf(name));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "pf.ts"), pf);
  const id = path.basename(folder);
  writeFileSync(
    path.join(folder, "SKILL.md"),
    `---\nname: ${id}\ndescription: Holds back a search.\n---\n\n# ${id}\n`,
  );
}

/** The errors in pf.ts without those of a run, by the skill's folder. Each file has half a second. */
async function validate(): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const env = { ...process.env, HASP_COMPILER_SECONDS: "0.5" };
  const { out } = await hasp(["validate", "--no-cases", "--json", "skills"], { cwd: place, env });
  const { skills } = JSON.parse(out) as Validated;
  return new Map(
    skills.map(({ folder, diagnostics }) => [
      folder,
      diagnostics.filter(
        ({ file, code, severity }) =>
          file?.endsWith("pf.ts") === true && severity === "error" && !code.startsWith("HASP25"),
      ),
    ]),
  );
}

it("the sample names sources that are there", () => {
  expect(Object.keys(HOSTILE_TYPESCRIPT)).toEqual(expect.arrayContaining(SAMPLE));
});

let found: ReadonlyMap<string, readonly Diagnostic[]>;

beforeAll(async () => {
  for (const [name, source] of HOSTILE) {
    writeSkill(name, source);
    writeSkill(
      `good beside ${name}`,
      hostilePf(`const NAME = ${JSON.stringify(name)};`, "return arg === NAME;"),
    );
  }
  for (const [name, [, source]] of Object.entries(REFUSED_TYPESCRIPT)) writeSkill(name, source);
  writeSkill("wrong", hostilePf('const LENGTH: number = "x";', "return arg.length === LENGTH;"));
  found = await validate();
}, 300_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

it.each(HOSTILE.map(([name]) => name))("%s is named, and the good skill beside it is checked", (name) => {
  expect(found.get(folderOf(name))).toMatchObject([
    { code: "HASP220", severity: "error", file: `${folderOf(name)}/pf.ts`, next: expect.any(String) },
  ]);
  expect(found.get(folderOf(`good beside ${name}`))).toEqual([]);
});

it.each(Object.entries(REFUSED_TYPESCRIPT))("%s is refused with its own code", (name, [code]) => {
  expect(found.get(folderOf(name))?.map((diagnostic) => diagnostic.code)).toContain(code);
});

it("a type error in the last skill is found as usual", () => {
  expect(found.get(folderOf("wrong"))).toMatchObject([{ code: "TS2322" }]);
});
