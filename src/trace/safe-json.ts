/**
 * What could drive a terminal that prints JSON, or make a text look other than it is: DEL and C1 controls, separators,
 * marks of direction, characters without width. JSON.stringify leaves them as they are; all stand inside strings.
 */
const RISKY = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The same JSON with all that nobody can see as `\uXXXX`. */
export function escapeUnseen(json: string): string {
  return json.replaceAll(RISKY, escapeUnit);
}
