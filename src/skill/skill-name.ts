import { characters } from "../model/characters.ts";
import { GENERATED_FOLDER } from "../model/domain-folder.ts";
import { isForeignName } from "../model/foreign-name.ts";
import { BUILD_FOLDERS, KEBAB_CASE, MAX_NAME } from "./vocabulary.ts";

/** Letters that decomposition leaves as they are. */
const LATIN: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
};

/** Folders of a library that hold no skill of their own: those of evolutions, of builds, and devices of Windows. */
const isReserved = (name: string): boolean =>
  name === GENERATED_FOLDER || BUILD_FOLDERS.has(name) || !isForeignName(name);

/**
 * A name in any spelling as kebab-case: `Read First!`, `readFirst`, `READ_FIRST` and `réad first` are `read-first`. Empty where no
 * Latin letter is left to begin with; with `-skill` where no skill may have the name.
 */
export function kebabName(text: string): string {
  const name = text
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1-$2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1-$2")
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/['’]/g, "")
    .replaceAll(/[^a-z0-9]/g, (letter) => LATIN[letter] ?? "-")
    .replaceAll(/-+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, MAX_NAME)
    .replace(/-$/, "");
  return name !== "" && isReserved(name) ? `${name}-skill` : name;
}

/** Why `name` cannot be a skill's name, or undefined when it can. */
export function checkSkillName(name: string): string | undefined {
  if (name === "") return "A skill needs a name.";
  const length = characters(name);
  if (length > MAX_NAME) return `The name has ${length} characters; it may have ${MAX_NAME}.`;
  if (!KEBAB_CASE.test(name))
    return `"${name}" is not kebab-case: lower-case letters and digits in words joined by single hyphens, a letter first.`;
  if (isReserved(name))
    return `"${name}" cannot be the name of a skill: a folder of that name holds other files, or is a device on Windows.`;
  return undefined;
}

/** Why no name comes of what a person typed, or undefined where `kebabName` gives one. */
export function checkTypedName(text: string): string | undefined {
  if (text.trim() === "" || kebabName(text) !== "") return checkSkillName(kebabName(text));
  return `"${text.trim()}" leaves no name: a name has Latin letters (a–z), digits after the first of them, and hyphens.`;
}
