// Does deeds with a hostile target in one process, and tells what each said and the most memory of all:
// node hostile-deeds.mts <target as JSON> <folder of the job> <folder of the target> <file with the cases>.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { checked } from "../../src/app/refusal.ts";
import { remoteBackend } from "../../src/jobs/remote/remote-backend.ts";
import { targetSchema } from "../../src/model/target.ts";
import { remotePorts } from "../../src/platform/remote/remote-jobs.ts";
import { EVERY_RECORD } from "./every-record.mts";
import { writeHostileTarget, type HostilePlan } from "./hostile-target.ts";

/** A deed with a job while the target answers by a plan. */
export interface HostileCase {
  readonly name: string;
  readonly deed: "status" | "follow" | "fetch" | "submit";
  readonly plan: HostilePlan;
}

/** What became of the cases. */
export interface HostileDeeds {
  /** Code and message of the refusal, or `fine`, by the name of the case. */
  readonly said: readonly (readonly [name: string, said: string])[];
  /** Most bytes that the process had in memory. */
  readonly peak: number;
}

const [target = "", folder = "", place = "", cases = ""] = process.argv.slice(2);
const hostile = writeHostileTarget(place, path.resolve(import.meta.dirname, "hostile-target.py"));
const root = path.resolve(import.meta.dirname, "../..");
const ports = remotePorts({
  build: { cli: path.join(root, "dist/hasp.cjs"), trainer: path.join(root, "trainer") },
  environment: process.env,
  own: EVERY_RECORD,
  on: () => undefined,
});
const named = { name: "lab", target: targetSchema.parse(JSON.parse(target)) };
const backend = remoteBackend(ports, named);
const before = readFileSync(path.join(folder, "target.jsonl"));

async function act(deed: HostileCase["deed"]): Promise<void> {
  if (deed !== "follow") return void (await backend[deed](folder));
  const over = AbortSignal.timeout(60_000);
  for await (const event of backend.follow(folder, over)) if (event.kind === "metrics") break;
}

const said: [string, string][] = [];
for (const { name, deed, plan } of JSON.parse(readFileSync(cases, "utf8")) as readonly HostileCase[]) {
  hostile.answer(plan);
  // A first submission asks for more than one that was made.
  if (deed === "submit") rmSync(path.join(folder, "target.jsonl"));
  const { diagnostics } = await checked(async () => act(deed));
  const last = diagnostics.at(-1);
  said.push([name, last === undefined ? "fine" : `${last.code} ${last.message}`]);
  writeFileSync(path.join(folder, "target.jsonl"), before);
}
const peak = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ said, peak } satisfies HostileDeeds));
