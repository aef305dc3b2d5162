import { sha256 } from "../../platform/sha256.ts";
import type { LibrarySource } from "../workspace/library.ts";

/** A hash over the saved texts of all skills that act, in the order of their ids: an experiment that is resumed has the same library. */
export async function libraryHash(library: LibrarySource, domain: string): Promise<string> {
  const acting = (await library.list()).filter((skill) => skill.domain === domain && !skill.isDisabled);
  const read = await library.read(acting, "saved");
  const texts = read
    .map(({ skill, skillMd, pfSource }) => [skill?.skillId ?? "", skillMd ?? "", pfSource ?? ""])
    .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : Number(a > b)));
  return sha256(JSON.stringify(texts));
}
