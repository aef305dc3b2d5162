import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { openScene, type Ended, type HookScene } from "./hook-process.ts";
import { loopbackModel, type Behaviour, type LoopbackCall, type LoopbackModel } from "./loopback-model.ts";
import { play, roleOf, writeWorld, type Role } from "./evolve-world.ts";
import { ROOT } from "./core.ts";

export const CLI = path.join(ROOT, "dist/hasp.cjs");
/** The evolution, and the folder of its skills. */
export const EVO = "evo";
export const GENERATED = "skills/web-search/generated";

/** A workspace with the questions of `evolve-world.ts`, and a server that plays its models. */
export interface EvolveScene extends HookScene {
  readonly model: LoopbackModel;
  /** The arguments of an evolution with live rollouts of 2 epochs and 3 candidates each. */
  order(...more: readonly string[]): string[];
  /** A model of the server, as a spec. */
  spec(role: Role): string;
  /** Calls for this role. */
  calls(role: Role): readonly LoopbackCall[];
  /** The text of a file. */
  text(...names: string[]): string;
  /** An object of JSON. */
  json(...names: string[]): unknown;
  lines<T>(...names: string[]): T[];
  end(): Promise<void>;
}

/** `questions`: how many; a fifth of them is in no part. `port`: that of the server, so that two scenes have equal specs. */
export async function openEvolveScene(
  questions: number,
  behave: (call: LoopbackCall) => Behaviour = play,
  port = 0,
): Promise<EvolveScene> {
  const scene = openScene("evolve");
  writeWorld(scene.workspace, questions);
  const model = await loopbackModel(behave, { port });
  const spec = (role: Role): string => `${model.url}#${role}`;
  const text = (...names: string[]): string => readFileSync(scene.at(...names), "utf8");
  return {
    ...scene,
    model,
    spec,
    order(...more) {
      const files = ["-o", EVO, "--questions", "questions.jsonl", "--corpus", "corpus.jsonl", "--no-skills"];
      const models = ["--policy", spec("policy"), "--author", spec("author"), "--teacher", spec("teacher")];
      const size = ["--setting", "pf-only", "--epochs", "2", "--candidates", "3", "--concurrency", "8"];
      return ["evolve", ...files, ...models, ...size, ...more];
    },
    calls: (role) => model.calls.filter(({ request }) => roleOf(request) === role),
    text,
    json: (...names) => JSON.parse(text(...names)) as unknown,
    lines: <T>(...names: string[]) =>
      text(...names)
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as T),
    async end() {
      scene.close();
      await model.close();
    },
  };
}

/** Every file below a folder, and what links lead to, by path. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const at = path.join(folder, name);
      return lstatSync(at).isDirectory() ? filesBelow(at).map((below) => `${name}/${below}`) : [name];
    });
}

/** Differ from one sitting to the next: times, and what a reply from the cache does not cost. */
const VARIES = new Set(["when", "createdAt", "builtAt", "latencyMs", "dispatchMs", "cost", "title"]);

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !VARIES.has(key));
  return Object.fromEntries(entries.map(([key, one]) => [key, plain(one)]));
}

function plainText(name: string, text: string): string {
  if (name.endsWith(".json")) return JSON.stringify(plain(JSON.parse(text)), null, 1);
  if (!name.endsWith(".jsonl")) return text;
  const lines = text.split("\n").filter(Boolean);
  const read = lines.map((line) => JSON.stringify(plain(JSON.parse(line))));
  // Episodes are at work beside each other, and what they read is kept as they read it.
  return (path.basename(name) === "messages.jsonl" ? [...new Set(read)].toSorted() : read).join("\n");
}

/** Kept for speed, or counted; and a log whose order is that of the replies. */
const isLeftOut = (name: string): boolean => /(?:\.index|\.lock|(?:^|\/)calls\.jsonl)$/.test(name);

/** The evolution and its library without what differs from one sitting to the next, by path. */
export function outcomeOf(scene: Pick<EvolveScene, "at">): Record<string, string> {
  const all = [EVO, GENERATED].flatMap((folder) =>
    filesBelow(scene.at(folder)).map((name) => `${folder}/${name}`),
  );
  return Object.fromEntries(
    all
      .filter((name) => !isLeftOut(name))
      .map((name) => [
        name,
        plainText(name, readFileSync(scene.at(name), "utf8")).replaceAll(TIME, "<time>"),
      ]),
  );
}

/** The files in which two outcomes differ, each with the place of the first difference. */
export function differences(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): readonly string[] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted();
  return names.flatMap((name) => {
    const [one, two] = [a[name], b[name]];
    if (one === two) return [];
    if (one === undefined || two === undefined) return [`${name} is on one side only`];
    let at = 0;
    while (one[at] === two[at]) at++;
    const shown = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
    return [`${name}: ${shown(one)}\n  | ${shown(two)}`];
  });
}

/** The lines of the command's output that begin so, without the blanks around them. */
export const linesWith = ({ out }: Pick<Ended, "out">, start: string): string[] =>
  out
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith(start));
