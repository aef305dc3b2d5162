import type { Domain } from "../domains/domain.ts";
import { domainOfFolder } from "../analysis/library.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { REVIEWED_FILES, type Fingerprint, type ReviewedFile } from "../model/review.ts";
import type { Skill } from "../model/skill.ts";
import type { Compiler } from "../skill/compiler.ts";
import { readSkillFolder, type SkillFolder } from "../skill/read-skill.ts";
import type { SkillFiles } from "../skill/skill-files.ts";

export type ReviewedTexts = Readonly<Partial<Record<ReviewedFile, string>>>;

/** A skill as it stood at one moment: what is shown to the teacher, judged and hashed is the same text. */
export interface ReviewSubject {
  readonly folder: SkillFolder;
  readonly skill: Skill;
  readonly texts: ReviewedTexts;
  readonly fingerprint: Fingerprint;
  readonly domain: Domain;
}

/** As in `readSkillFolder`: what is longer is reported there and not read here. */
const MAX_BYTES = 10_000_000;

/**
 * Reads a skill for review. `subject` is undefined where its files cannot be used; `diagnostics` say why. Findings of the
 * PF's types and rules do not stand in its way: they are evidence. Rejects on I/O errors.
 */
export async function readSubject(
  files: SkillFiles,
  compiler: Pick<Compiler, "transpile" | "domains">,
  folder: string,
): Promise<{ readonly subject: ReviewSubject | undefined; readonly diagnostics: readonly Diagnostic[] }> {
  const texts = await readTexts(files, folder);
  const read = await readSkillFolder(frozen(files, folder, texts), compiler, folder);
  const { skill, diagnostics } = read;
  if (
    skill === undefined ||
    diagnostics.some((d) => d.severity === "error" && d.file !== `${folder}/pf.ts`)
  ) {
    return { subject: undefined, diagnostics };
  }
  const domain = domainOfFolder(folder, skill.applicableModes);
  const fingerprint = await fingerprintOf(texts);
  return { subject: { folder: read, skill, texts, fingerprint, domain }, diagnostics };
}

/** What a review of this folder, made now, would be bound to. Rejects on I/O errors. */
export async function fingerprintOfFolder(
  files: Pick<SkillFiles, "readText">,
  folder: string,
): Promise<Fingerprint> {
  return fingerprintOf(await readTexts(files, folder));
}

/** The files of a skill that reviews are about, as they are now. Rejects on I/O errors. */
export async function readTexts(files: Pick<SkillFiles, "readText">, folder: string): Promise<ReviewedTexts> {
  const entries = await Promise.all(
    REVIEWED_FILES.map(async (name) => {
      const found = await files.readText(`${folder}/${name}`, MAX_BYTES);
      return found.kind === "text" ? [[name, found.text] as const] : [];
    }),
  );
  return Object.fromEntries(entries.flat());
}

/** The same files, except that those of the skill are as they were read. */
function frozen(files: SkillFiles, folder: string, texts: ReviewedTexts): SkillFiles {
  const held = new Map(Object.entries(texts).map(([name, text]) => [`${folder}/${name}`, text]));
  return {
    list: (at) => files.list(at),
    async readText(path, maxBytes) {
      const text = held.get(path);
      return text === undefined ? files.readText(path, maxBytes) : { kind: "text", text };
    },
  };
}

/** Line ends do not count: a checkout on another system changes them and nothing else. */
export async function fingerprintOf(texts: ReviewedTexts): Promise<Fingerprint> {
  const there = REVIEWED_FILES.filter((name) => texts[name] !== undefined);
  const hashes = await Promise.all(
    there.map(async (name) => [name, await sha256((texts[name] ?? "").replaceAll("\r\n", "\n"))] as const),
  );
  return { hash: await sha256(JSON.stringify(hashes)), files: Object.fromEntries(hashes) };
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
