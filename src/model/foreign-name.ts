/** Most bytes of a name in UTF-8, and of each of its parts: what the file systems of Linux, macOS and Windows all take. */
const MOST_BYTES = 1_024;
const MOST_PART_BYTES = 255;

/** Invisible characters: a name with one is printed like another name. */
const UNSEEN =
  /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}\u{200b}\u{2060}-\u{2064}\u{feff}\u{e0000}-\u{e007f}]/u;
/** Devices of Windows, in every folder and with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:[.:]|$)/i;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function faultOfPart(part: string): string | undefined {
  if (part === "") return "has an empty part";
  if (part === "." || part === "..") return `has the part \`${part}\``;
  if (bytesOf(part) > MOST_PART_BYTES) return `has a part of more than ${MOST_PART_BYTES} bytes`;
  if (/^[a-z]:/i.test(part)) return "names a drive";
  if (/[. ]$/.test(part)) return "has a part that ends with a dot or a space";
  if (DEVICE.test(part)) return `has the part \`${part}\`, a device of Windows`;
  return undefined;
}

/**
 * Why the path of a file, as a link, a record or a clone names it, may lead elsewhere than it seems: it must be relative and normal on every
 * system, with `/` between its parts. In words that follow the name; undefined where it is a good one.
 */
export function foreignNameFault(name: string): string | undefined {
  if (name === "") return "is empty";
  if (bytesOf(name) > MOST_BYTES) return `is longer than ${MOST_BYTES.toLocaleString("en")} bytes`;
  if (UNSEEN.test(name)) return "has a character that cannot be seen";
  if (name.startsWith("/")) return "is absolute";
  if (name.includes("\\")) return "has a backslash";
  return name
    .split("/")
    .map(faultOfPart)
    .find((fault) => fault !== undefined);
}

/** Whether a path from elsewhere is relative, normal and of a length that every system takes. */
export const isForeignName = (name: string): boolean => foreignNameFault(name) === undefined;

/** The same for two names that some file system takes for one: by case, Unicode form, or characters without width. */
export const nameKey = (name: string): string =>
  name
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFC");
