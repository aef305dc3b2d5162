import { cpSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { differences, openAttacker, snapshot, watchProcess, type Attacker } from "../support/border-watch.ts";
import { commandPaths, hasp, type Ended } from "../support/cli.ts";
import { CLONE_COMMANDS, namedIn } from "../support/clone-commands.ts";
import { askHook, askMcp, MCP_ANSWERS, PROCESS_COMMANDS } from "../support/clone-processes.ts";
import { HOOK_HOSTS } from "../../src/agents/hook/event.ts";
import { ROOT } from "../support/core.ts";
import { THOROUGH } from "../support/thorough.ts";
import { HOSTILE_CLONES } from "../support/hostile-clones.ts";
import { authorOf, writeExperiment } from "../support/hostile-experiment.ts";
import {
  closePlace,
  envOf,
  openPlace,
  ownPython,
  type HostilePlace,
  type WriteHostile,
} from "../support/hostile-place.ts";

/** Every command of `hasp` in clones of strangers' repositories, with nobody there to say yes. */

const SAMPLES = path.join(ROOT, "samples");
const PATIENCE = 300_000;
/** Milliseconds after which a command that follows something is interrupted. */
const FOLLOWED_MS = 200;
const isFollowing = (line: readonly string[]): boolean =>
  line.some((word) => word === "follow" || word === "--follow" || word === "-f");

let attacker: Attacker;

/** An experiment as the stranger's own HASP writes it into the clone: its first job has failed. */
async function experimentOfAuthor(place: HostilePlace): Promise<void> {
  const ended = await hasp(writeExperiment(place), { cwd: place.clone, env: authorOf(place) });
  expect(ended.err).toContain("HASP691");
}

beforeAll(async () => {
  attacker = await openAttacker();
});
afterAll(() => attacker.close());

const STATE = "home/.local/state/hasp";

/** HASP's own state and the clone itself. Decisions of the user's are no part of that: no command may make one. */
const isOwnState = (name: string): boolean =>
  ["clone", "origin", "author", "home/.cache"].includes(name) ||
  (name.startsWith(`${STATE}/`) && name !== `${STATE}/links.json`);

/** Those that leave nothing of others to be tried. */
const ALONE = ["links", "keys in hasp.yaml"];

const together: WriteHostile = (place) => {
  for (const [name, writeHostile] of Object.entries(HOSTILE_CLONES))
    if (!ALONE.includes(name)) writeHostile(place);
};

type Clone = readonly [name: string, writeHostile: WriteHostile, hasExperiment: boolean];

/** One after the other where everything is wanted, else all together, and the links that would hide the others. */
const CLONES: readonly Clone[] = [
  ...(THOROUGH ? [] : [["records of all kinds", together, true] satisfies Clone]),
  ...Object.entries(HOSTILE_CLONES).flatMap(([name, writeHostile]): readonly Clone[] =>
    THOROUGH || name === "links" ? [[name, writeHostile, name === "experiments"]] : [],
  ),
];

it("the table has an entry for each command", () => {
  expect([...Object.keys(CLONE_COMMANDS), ...PROCESS_COMMANDS].toSorted()).toEqual(commandPaths().toSorted());
});

const look = ({ base }: HostilePlace): ReadonlyMap<string, string> => snapshot(base, isOwnState);

/** Of the user's own programs, which are no part of a clone: `hasp trainer check` starts the Python, `hasp hook status` our hook, `hasp containment` the system's own Bubblewrap. */
function isAllowed(command: string, fault: string): boolean {
  const [, started = ""] = /: started (.*)$/s.exec(fault) ?? [];
  if (command === "trainer check") return started.includes("/own/python ");
  if (command === "containment") return started.startsWith("/usr/bin/bwrap ");
  return command === "hook status" && started.startsWith(`${process.execPath} ${ROOT}/dist/`);
}

/** The clone as it was written, and a copy from which it is made anew. */
async function openHostile(writeHostile: WriteHostile, hasExperiment: boolean): Promise<HostilePlace> {
  const place = openPlace(SAMPLES, attacker.origin);
  writeHostile(place);
  if (hasExperiment) await experimentOfAuthor(place);
  cpSync(place.clone, path.join(place.base, "origin"), { recursive: true, verbatimSymlinks: true });
  return place;
}

function renew({ base, clone }: HostilePlace): void {
  rmSync(clone, { recursive: true, force: true });
  cpSync(path.join(base, "origin"), clone, { recursive: true, verbatimSymlinks: true });
}

describe.each(CLONES)("a clone with hostile %s", (_name, writeHostile, hasExperiment) => {
  let place: HostilePlace;
  beforeAll(async () => {
    place = await openHostile(writeHostile, hasExperiment);
  });
  afterAll(() => closePlace(place));

  /** Changes, processes and requests outside of the clone, while a command ran there. */
  async function faultsOf(line: readonly string[], work: () => Promise<unknown>): Promise<readonly string[]> {
    const before = look(place);
    const watch = watchProcess();
    try {
      await work();
      const found = [
        ...watch.started().map((one) => `started ${one}`),
        ...watch.connected().map((one) => `called ${one}`),
        ...attacker.asked.splice(0).map((one) => `asked ${one}`),
        ...differences(before, look(place)),
      ];
      return found.map((fault) => `${line.join(" ")}: ${fault}`);
    } finally {
      watch.close();
    }
  }

  it(
    "has nothing run, written elsewhere or sent by a command",
    async () => {
      const env = { ...envOf(place), HASP_TRAINER_PYTHON: ownPython(place) };
      const faults: string[] = [];
      for (const [command, linesOf] of Object.entries(CLONE_COMMANDS)) {
        renew(place);
        for (const line of linesOf(namedIn(place.clone))) {
          const signal = isFollowing(line) ? { signal: AbortSignal.timeout(FOLLOWED_MS) } : {};
          const found = await faultsOf(line, () => hasp(line, { cwd: place.clone, env, ...signal }));
          faults.push(...found.filter((fault) => !isAllowed(command, fault)));
        }
      }
      expect(faults).toEqual([]);
    },
    PATIENCE,
  );

  // Processes of their own are slow to start.
  if (!THOROUGH && !hasExperiment) return;
  it(
    "has nothing run, written elsewhere or sent for an assistant or a coding agent",
    async () => {
      renew(place);
      const isOwn = (fault: string): boolean => fault.includes(`started ${process.execPath} ${ROOT}/dist/`);
      const answers: Ended[] = [];
      const faults = [
        ...(await faultsOf(["mcp"], async () => answers.push(await askMcp(place)))),
        ...(await faultsOf(["hook"], async () => {
          answers.push(...(await Promise.all(HOOK_HOSTS.map((host) => askHook(place, host)))).flat());
        })),
      ];
      expect(faults.filter((fault) => !isOwn(fault))).toEqual([]);
      expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 0));
      expect(answers[0]?.out.split("\n").filter((line) => line.includes('"result"'))).toHaveLength(
        MCP_ANSWERS,
      );
    },
    PATIENCE,
  );
});
