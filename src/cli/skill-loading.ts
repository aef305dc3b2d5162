import path from "node:path";
import { clip } from "../model/clip.ts";
import { listByHost, type ListedByHost, type OfferedSkill } from "../platform/host-listing.ts";
import { absolute } from "../platform/surroundings.ts";
import { LOADING_READ_FROM, loadingBy, type Loading, type LoadingHost } from "../skill/host-loading.ts";
import type { SkillFiles } from "../skill/skill-files.ts";

/** What a host makes of one skill, and who says so: the host that is installed, or the rules read from a version of it. */
export type HostVerdict = {
  readonly host: LoadingHost;
  readonly by: "host" | "rules";
  readonly version: string;
} & Loading;

/** No SKILL.md that was read is longer. In bytes. */
const MAX_BYTES = 10_000_000;

async function offered(folder: string, files: SkillFiles): Promise<OfferedSkill | undefined> {
  const found = await files.readText(`${folder}/SKILL.md`, MAX_BYTES).catch(() => undefined);
  if (found?.kind !== "text") return undefined;
  const name = path.posix.basename(
    folder.includes(":") ? folder : absolute(folder).split(path.sep).join("/"),
  );
  return { folder: name, bytes: found.bytes ?? new TextEncoder().encode(found.text) };
}

/** What all ways to show a text have in common: hosts shorten it, and leave out what a terminal would take for an order. */
const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "").slice(0, 40);

/** Whether a description was made of a line of the file. */
function isOfText(description: string, bytes: Uint8Array): boolean {
  const letters = lettersOf(description);
  return (
    letters === "" ||
    new TextDecoder()
      .decode(bytes)
      .split("\n")
      .some((line) => lettersOf(line) === letters)
  );
}

/** What a host says that lists a skill. Claude Code lists one as well whose frontmatter it could not read. */
function listedAs(host: LoadingHost, listed: ListedByHost, rules: Loading, { bytes }: OfferedSkill): Loading {
  if ("refused" in listed) return { loads: "no", reason: listed.refused };
  const { name, description } = listed;
  if (description === undefined) return rules.loads === "yes" ? { ...rules, name } : rules;
  const isOwn =
    rules.loads === "yes"
      ? lettersOf(description) === lettersOf(rules.description)
      : !isOfText(description, bytes);
  if (isOwn || host === "codex") return { loads: "yes", name, description };
  const why = rules.loads === "yes" ? "" : `${rules.reason}, and `;
  return {
    loads: "without frontmatter",
    reason: `${why}its description there is "${clip(description, 60)}"`,
  };
}

/** What the hosts make of the skills in these folders; none of a folder whose SKILL.md cannot be read. */
export async function loadingOf(
  folders: readonly string[],
  hosts: readonly LoadingHost[],
  files: SkillFiles,
): Promise<ReadonlyMap<string, readonly HostVerdict[]>> {
  const read = await Promise.all(
    folders.map(async (folder) => ({ folder, skill: await offered(folder, files) })),
  );
  const there = read.flatMap(({ folder, skill }) => (skill === undefined ? [] : [{ folder, skill }]));
  const verdicts = new Map<string, HostVerdict[]>(there.map(({ folder }) => [folder, []]));
  for (const host of hosts) {
    const listing = await listByHost(
      host,
      there.map(({ skill }) => skill),
    );
    for (const [i, { folder, skill }] of there.entries()) {
      const rules = loadingBy(host, skill.bytes, skill.folder);
      const listed = listing?.skills[i];
      verdicts
        .get(folder)
        ?.push(
          listing === undefined || listed === undefined
            ? { host, by: "rules", version: LOADING_READ_FROM[host], ...rules }
            : { host, by: "host", version: listing.version, ...listedAs(host, listed, rules, skill) },
        );
    }
  }
  return verdicts;
}

/** One line for a person. */
export function loadingLine(verdict: HostVerdict): string {
  const { host, by, version } = verdict;
  const source = by === "host" ? "" : ` (by the rules read from version ${version}: no ${host} answers here)`;
  const who = by === "host" ? `${host} ${version}` : host;
  if (verdict.loads === "yes")
    return `${who} loads it as ${verdict.name}: ${clip(verdict.description, 60)}${source}`;
  const what = verdict.loads === "no" ? "does not load it" : "lists it without its frontmatter";
  return `${who} ${what}: ${verdict.reason}${source}`;
}
