import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { createRedactor } from "../../../src/llm/redact.ts";
import { sha256 } from "../../../src/platform/sha256.ts";
import {
  copyLibraries,
  keepLibrary,
  keptFiles,
  keptFolder,
  textsHash,
  type KeptSkill,
} from "../../../src/trace/library-store.ts";
import { encodeEpisode } from "../../../src/trace/episode-file.ts";
import type { TraceFiles } from "../../../src/trace/ports.ts";
import { importRun } from "../../../src/trace/import-run.ts";
import { runPaths } from "../../../src/trace/run-paths.ts";
import { episode, files, temporaryFolder } from "./support.ts";

const skill = (name: string, more: Partial<KeptSkill> = {}): KeptSkill => ({
  skillId: name.replaceAll("-", "_"),
  version: 1,
  priority: 0.5,
  name,
  domain: "web-search",
  skillMd: `# ${name}`,
  pf: `export default class ${name.length} {}`,
  ...more,
});

async function keptIn(folder: string): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const { path, bytes } of keptFiles(files, folder))
    found.push([path, new TextDecoder().decode(bytes)]);
  return found;
}

const hiding = (hide: (text: string) => string) => ({ sha256, hide });
const plain = hiding((text) => text);

it("a run folder holds the texts of its skills, each by its hash and once", async () => {
  const folder = temporaryFolder();
  const [first, textOnly] = [skill("first"), skill("text-only", { pf: undefined, domain: undefined })];
  await keepLibrary(files, folder, [first, textOnly], plain);
  await keepLibrary(files, folder, [first], plain);
  const [a, b] = [first, textOnly].map((one) => textsHash(sha256, one));
  expect(new Map(await keptIn(folder))).toEqual(
    new Map([
      [`library/${a}/web-search/first/SKILL.md`, first.skillMd],
      [`library/${a}/web-search/first/pf.ts`, first.pf],
      [`library/${b}/text-only/SKILL.md`, textOnly.skillMd],
    ]),
  );
});

/** A run of one episode and one skill. */
async function makeRun(folder: string): Promise<void> {
  await keepLibrary(files, folder, [skill("first")], plain);
  await files.append(runPaths(folder).episodes, encodeEpisode(episode("a")));
}

const imported = (port: TraceFiles, from: string, to: string) =>
  importRun(
    port,
    { clock: { now: () => "2026-01-01T00:00:00.000Z" }, sha256 },
    { sources: [runPaths(from).episodes], folder: to, format: "hasp" },
  );

it("a run that is imported brings the texts of its skills", async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  await makeRun(from);
  expect((await imported(files, from, to)).value?.episodes).toBe(1);
  expect(await keptIn(to)).toEqual(await keptIn(from));
  expect(await keptIn(to)).toHaveLength(2);
});

it("an import that a full disk ended can be made again", async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  await makeRun(from);
  const full: TraceFiles = {
    ...files,
    async writeAtomic(path, data) {
      if (path !== runPaths(to).episodes || data instanceof Uint8Array) return files.writeAtomic(path, data);
      const pieces = data[Symbol.asyncIterator]();
      while ((await pieces.next()).done !== true);
      throw new Error("no space left");
    },
  };
  await expect(imported(full, from, to)).rejects.toThrow("no space left");
  expect((await imported(files, from, to)).value?.episodes).toBe(1);
});

it("an import brings nothing but texts of skills: no other file, and nothing that a link brings in", async () => {
  const [from, to, elsewhere] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  writeFileSync(`${elsewhere}/private.txt`, "private");
  await keepLibrary(files, from, [skill("first")], plain);
  const [own] = await keptIn(from);
  const folder = `${from}/${dirname(own?.[0] ?? "")}`;
  const hash = "ab".repeat(16);
  symlinkSync(`${elsewhere}/private.txt`, `${folder}/SKILL.md.bak`);
  writeFileSync(`${folder}/notes.txt`, "of nobody");
  mkdirSync(`${from}/library/${hash}/linked`, { recursive: true });
  symlinkSync(`${elsewhere}/private.txt`, `${from}/library/${hash}/linked/SKILL.md`);
  writeFileSync(`${elsewhere}/SKILL.md`, "private");
  symlinkSync(elsewhere, `${from}/library/${"cd".repeat(16)}`);
  mkdirSync(`${from}/library/no-hash`);
  writeFileSync(`${from}/library/no-hash/SKILL.md`, "# none");
  await copyLibraries(files, [from, to], new Set());
  expect((await keptIn(to)).map(([path]) => path.split("/").at(-1))).toEqual(["SKILL.md", "pf.ts"]);
  expect(readdirSync(`${to}/library`)).toHaveLength(1);
});

it("another text is another hash, and both stay", async () => {
  const folder = temporaryFolder();
  await keepLibrary(files, folder, [skill("first")], plain);
  await keepLibrary(files, folder, [skill("first", { pf: "// edited" })], plain);
  const texts = (await keptIn(folder)).filter(([path]) => path.endsWith("pf.ts")).map(([, text]) => text);
  expect(texts.toSorted()).toEqual(["// edited", "export default class 5 {}"]);
});

it("a secret in a skill is hidden, and a name cannot lead out of the folder", async () => {
  const folder = temporaryFolder();
  const odd = skill("../../out", { skillMd: "the key is hunter2hunter2" });
  await keepLibrary(
    files,
    folder,
    [odd],
    hiding((text) => text.replaceAll("hunter2hunter2", "[redacted]")),
  );
  const kept = await keptIn(folder);
  expect(kept.map(([path]) => path.split("/").slice(2).join("/"))).toEqual([
    "web-search/..%2F..%2Fout/SKILL.md",
    "web-search/..%2F..%2Fout/pf.ts",
  ]);
  expect(kept[0]?.[1]).toBe("the key is [redacted]");
});

it("what is no hash names no folder", () => {
  expect(["", "..", "../../etc", "zz".repeat(16)].map((hash) => keptFolder("run", hash))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it("no shipped skill holds anything that is taken for a secret: its texts are kept as they are", () => {
  const redactor = createRedactor();
  const redact = (text: string): string => redactor.redact(text);
  const found = readdirSync("skills", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && (entry.name === "SKILL.md" || entry.name === "pf.ts"))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .filter((file) => redact(readFileSync(file, "utf8")) !== readFileSync(file, "utf8"));
  expect(found).toEqual([]);
});
