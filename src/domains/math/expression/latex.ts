/** Words of LaTeX that each reader of math knows; names are without their backslash, sources are of regular expressions. */

const LARGE = ["big", "Big", "bigg", "Bigg"];

/** In front of a bracket: its size. */
export const SIZES = [
  "left",
  "right",
  ...LARGE.flatMap((size) => [size, `${size}l`, `${size}r`, `${size}m`]),
];

/** Commands of layout alone. */
export const LAYOUT = [...SIZES, "displaystyle", "textstyle", "quad", "qquad", "limits"];

/** Commands around words within a sentence. */
export const PROSE = ["text", "textbf", "textit", "textrm", "textsf", "mbox"];

/** Commands around a text. */
export const TEXTS = [...PROSE, "mathrm", "mathbf", "mathit", "mathsf", "operatorname", "mathop"];

export const FRACTIONS = ["frac", "dfrac", "tfrac", "cfrac"];

/** Source of any of these commands. */
export const commandsOf = (names: readonly string[]): string =>
  String.raw`\\(?:${names.join("|")})(?![a-zA-Z])`;

/** Source of what parts the thousands in LaTeX: `1{,}250`, `1,\!250`, `1\,250`. */
export const LATEX_SEPARATOR = String.raw`,\\!|\{,\}(?:\\!)?|\\,`;

/** The same with the plain comma. */
export const SEPARATOR = `${LATEX_SEPARATOR}|,`;
