import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { foldLive } from "../../src/trace/live-fold.ts";
import { attack } from "../support/attacks.ts";
import { decisionOf, openScene, preEvent, writeSkill, type HookScene } from "../support/hook-process.ts";
import type { Mounts } from "../support/mounts.ts";
import { THOROUGH } from "../support/thorough.ts";

/** What a hostile repository, a full disk and a killed process do to `hasp hook`: its guards stay on, and nothing outside is touched. */
let scene: HookScene;
beforeEach(() => {
  scene = openScene("attack");
});
afterEach(() => scene.close());

/** What V8 compiles of the hook, for tests that do not look at it. */
const compiled = mkdtempSync(path.join(tmpdir(), "hasp-attack-compiled-"));
const keepCompiled = (): void => void (scene.env["XDG_CACHE_HOME"] = compiled);
afterAll(() => rmSync(compiled, { recursive: true, force: true }));

const PATIENCE = 120_000;
const RUN = ".hasp/runs/agent-sessions";
const PROFILE = "export PATH=/bin\n";

/** A whole session: what a person says, a call that is refused, one that runs, its answer, the end. */
async function session(id = "s"): Promise<(string | undefined)[]> {
  const common = { session_id: id, cwd: scene.workspace };
  const said = "$(touch /tmp/owned) `id`";
  await scene.hook({ ...common, hook_event_name: "UserPromptSubmit", prompt: said });
  const refused = await scene.hook(preEvent(scene, id, "1"));
  const ran = preEvent(scene, id, "2", "ls");
  await scene.hook(ran);
  await scene.hook({ ...ran, hook_event_name: "PostToolUse", tool_response: { stdout: said, stderr: "" } });
  await scene.hook({ ...common, hook_event_name: "SessionEnd", reason: "exit" });
  return [decisionOf(refused), refused.err];
}

const steps = (file: string): number =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.includes('"event":"proposed"')).length;

describe("A workspace that leads elsewhere", () => {
  const outside = (): string => path.join(scene.base, "outside");
  const profile = (): string => path.join(outside(), "profile");
  beforeEach(() => {
    mkdirSync(path.join(outside(), "folder"), { recursive: true });
    writeFileSync(profile(), PROFILE);
    keepCompiled();
  });
  const link = (target: string, at: string): void => {
    mkdirSync(path.dirname(scene.at(at)), { recursive: true });
    symlinkSync(target, scene.at(at));
  };

  /** A file, a folder, and what is no file of its own. */
  const WAYS: readonly [string, () => void][] = [
    ["the episodes lead to a shell's profile", () => link(profile(), `${RUN}/episodes.jsonl`)],
    [".hasp leads out", () => link(path.join(outside(), "folder"), ".hasp")],
    [
      "the episodes are a second name of the profile",
      () => {
        mkdirSync(scene.at(RUN), { recursive: true });
        linkSync(profile(), scene.at(RUN, "episodes.jsonl"));
      },
    ],
    [
      "the episodes are a pipe",
      () => {
        mkdirSync(scene.at(RUN), { recursive: true });
        execFileSync("mkfifo", [scene.at(RUN, "episodes.jsonl")]);
      },
    ],
  ];
  /** Further links, of which unit/platform/write-path.test.ts tells. */
  const MORE_WAYS: readonly [string, () => void][] = [
    ["by a relative link", () => link("../../../../outside/profile", `${RUN}/episodes.jsonl`)],
    ["by a chain of links", () => (link(profile(), "a"), link(scene.at("a"), `${RUN}/episodes.jsonl`))],
    ["the .gitignore leads there", () => link(profile(), `${RUN}/.gitignore`)],
    ["run.json leads there", () => link(profile(), `${RUN}/run.json`)],
    ["the folder of live files leads out", () => link(path.join(outside(), "folder"), `${RUN}/live`)],
    ["the run leads out", () => link(path.join(outside(), "folder"), RUN)],
    ["the runs lead out", () => link(path.join(outside(), "folder"), ".hasp/runs")],
    [".hasp leads to nothing", () => link(path.join(outside(), "nothing"), ".hasp")],
    ["the episodes lead to nothing", () => link(path.join(outside(), "nothing"), `${RUN}/episodes.jsonl`)],
    [".hasp leads to itself", () => link(scene.at(".hasp"), ".hasp")],
    ["the episodes lead to a device", () => link("/dev/full", `${RUN}/episodes.jsonl`)],
    [".hasp is a file", () => writeFileSync(scene.at(".hasp"), "")],
  ];

  it.each([...WAYS, ...(THOROUGH ? MORE_WAYS : [])])(
    "is written nowhere, and the session is kept with the user: %s",
    async (_what, plant) => {
      plant();
      expect(await session()).toEqual(["deny", ""]);
      expect(readFileSync(profile(), "utf8")).toBe(PROFILE);
      expect(readdirSync(outside()).toSorted()).toEqual(["folder", "profile"]);
      expect(readdirSync(path.join(outside(), "folder"))).toEqual([]);
      const [folder = ""] = scene.userSessions();
      const [episode] = readFileSync(path.join(folder, "episodes.jsonl"), "utf8").trimEnd().split("\n");
      expect((JSON.parse(episode ?? "") as { length: number }).length).toBe(2);
      const { out } = await scene.hasp("hook", "status", "--json");
      const { sessions } = JSON.parse(out) as { sessions: { folder: string; ended: number }[] };
      expect(sessions).toContainEqual(expect.objectContaining({ folder, ended: 1 }));
    },
    PATIENCE,
  );

  it(
    "is written through a link that the user allowed",
    async () => {
      link(path.join(outside(), "folder"), ".hasp");
      const allowed = await scene.hasp("links", "allow", "--yes", scene.at(".hasp"));
      expect(allowed.code).toBe(0);
      expect(await session()).toEqual(["deny", ""]);
      expect(existsSync(path.join(outside(), "folder/runs/agent-sessions/episodes.jsonl"))).toBe(true);
    },
    PATIENCE,
  );
});

describe("A repository that nobody said yes to", () => {
  const HOSTILE: readonly (readonly [string, string])[] = [
    ["loops", "for (;;) {}\nexport default class {}"],
    ["native-loop", "const list = []; list.length = 4294967295; list.indexOf(1);\nexport default class {}"],
    ["regex", `/^(a+)+$/.test("${"a".repeat(40)}!");\nexport default class {}`],
  ];

  it(
    "has none of its PFs loaded, leaves no process, and its guards stay on",
    async () => {
      for (const [name, pf] of HOSTILE) writeSkill(scene, name, pf);
      const answers = await Promise.all(["1", "2", "3"].map((id) => scene.hook(preEvent(scene, "s", id))));
      expect(answers.map(decisionOf)).toEqual(["deny", "deny", "deny"]);
      await expect.poll(() => scene.running(), { timeout: 60_000 }).toEqual([]);
      const told = await scene.hook(preEvent(scene, "t", "1", "ls"));
      expect(JSON.parse(told.out)).toEqual({
        systemMessage:
          "HASP: this workspace has 3 skills of its own (loops, native_loop, regex) that do not act until you say yes: hasp hook trust",
      });
      expect(JSON.stringify(readdirSync(path.join(scene.base, "cache/hasp/hook")))).not.toContain("realm");
      await expect.poll(() => scene.running(), { timeout: 60_000 }).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "may hold files whose names say no session: the others are listed, and those of yesterday end",
    async () => {
      await scene.hook(preEvent(scene, "yesterday", "1", "ls"));
      const live = scene.at(RUN, "live");
      for (const name of ["%E0.jsonl", "%.state.json"])
        cpSync(path.join(live, `yesterday${name.slice(name.indexOf("."))}`), path.join(live, name));
      const longAgo = new Date(Date.now() - 2 * 86_400_000);
      for (const name of readdirSync(live)) utimesSync(path.join(live, name), longAgo, longAgo);
      const listed = await scene.hasp("hook", "status");
      expect([listed.code, listed.err]).toEqual([0, ""]);
      expect(listed.out).toContain("yesterday");
      const today = await scene.hook({
        session_id: "today",
        cwd: scene.workspace,
        hook_event_name: "SessionStart",
      });
      expect(today.err).toBe("");
      expect(readFileSync(scene.at(RUN, "episodes.jsonl"), "utf8")).toContain('"yesterday"');
    },
    PATIENCE,
  );
});

/** A PF that acts on one command alone, and does `hang` as soon as it is asked; `top`: as its module is loaded. */
function hangingPf(hang: string, top = ""): string {
  return `import { ProgramFunction, noop, type ActionType, type Intervention, type StepContext } from "hasp";
${top}
export default class Hangs extends ProgramFunction {
  shouldActivate(_ctx: StepContext, _type: ActionType, arg: string): boolean { if (arg.includes("rm")) { ${hang} } return false; }
  intervene(): Intervention { return noop("nothing"); }
}
`;
}

const NATIVE_LOOP = "const list: number[] = []; list.length = 4294967295; list.indexOf(1);";

/** All ways to hang, under short limits: unit/platform-pf/attacks.test.ts. */
const MORE_HANGING: [string, string, string][] = [
  ["in a native loop, as it is loaded", hangingPf("", NATIVE_LOOP), "ran too long"],
  ["in a loop", hangingPf("for (;;) {}"), "ran too long"],
  ["in a native loop, behind a condition", hangingPf(NATIVE_LOOP), "ran too long"],
  ["with all memory that it can get", attack("long-list").source, "ran "],
  ["in an endless chain of promises", attack("microtasks-late").source, "ran too long"],
];

describe("A skill that somebody trusts, and that hangs", () => {
  it.each([
    ["in a native loop, as it acts", attack("native-raw").source, "ran too long"],
    ...(THOROUGH ? MORE_HANGING : []),
  ])(
    "keeps no shipped guard from deciding, is left out from then on, and the person hears of it: %s",
    async (_what, pf, reason) => {
      writeSkill(scene, "hangs", pf);
      writeSkill(scene, "good", hangingPf(""));
      // What it compiles is for the hooks of this very build.
      const trust = [path.resolve("dist/hasp.cjs"), "hook", "trust", "--yes"];
      const { code } = await scene.start(trust, "").ended;
      expect([0, 1]).toContain(code);
      expect(decisionOf(await scene.hook(preEvent(scene, "s", "1")))).toBe("deny");
      const second = await scene.hook(preEvent(scene, "s", "2"));
      expect(decisionOf(second)).toBe("deny");
      const told = JSON.parse(second.out) as { systemMessage?: string };
      const loaded = JSON.parse((await scene.hook(preEvent(scene, "t", "1"))).out) as {
        systemMessage?: string;
      };
      expect(loaded.systemMessage).toMatch(/^HASP: a skill of this workspace is left out: hangs /);
      expect(loaded.systemMessage).toContain(reason);
      expect(told.systemMessage ?? "HASP: a skill of this workspace is left out").toContain("left out");
      const lines = readFileSync(scene.at(RUN, "live/t.jsonl"), "utf8").split("\n");
      const asked = lines.flatMap((line) =>
        line.includes('"event":"judged"') ? [JSON.parse(line) as object] : [],
      );
      expect(JSON.stringify(asked)).toContain('"skillId":"good"');
      expect(JSON.stringify(asked)).not.toContain('"skillId":"hangs"');
      await expect.poll(() => scene.running(), { timeout: 60_000 }).toEqual([]);
    },
    PATIENCE,
  );
});

describe("A session that many calls work on", () => {
  const CALLS = THOROUGH ? 60 : 12;
  beforeEach(keepCompiled);

  it(
    "has many calls at once judged, each of them, and all of them recorded",
    async () => {
      const answers = await Promise.all(
        Array.from({ length: CALLS }, (_, i) =>
          scene.hook(preEvent(scene, "s", `call-${i}`), "--budget-ms", "60000"),
        ),
      );
      expect(answers.map((answer) => [decisionOf(answer), answer.err])).toEqual(
        Array.from({ length: CALLS }, () => ["deny", ""]),
      );
      await scene.hook(preEvent(scene, "s", "last", "ls"));
      const file = scene.at(RUN, "live/s.jsonl");
      expect(steps(file)).toBe(CALLS + 1);
      expect(foldLive(readFileSync(file, "utf8").split("\n"), file).diagnostics).toEqual([]);
      expect(readdirSync(scene.at(RUN, "live")).filter((name) => /\.(?:lock|tmp)$/.test(name))).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "goes on at once after a process that was killed, wherever that was",
    async () => {
      const kills = THOROUGH ? Number(process.env["HASP_KILLS"] ?? 8) : 2;
      const live = scene.at(RUN, "live");
      for (let i = 0; i < kills; i++) {
        const { child, ended } = scene.start(
          [path.resolve("dist/hook.cjs"), "--host", "claude-code", "--no-resident"],
          JSON.stringify(preEvent(scene, "s", `killed-${i}`)),
        );
        // As soon as it has the session, or at any moment.
        const isAtWork = (): boolean => readdirSync(live).some((name) => name.endsWith(".lock"));
        const watch = setInterval(() => {
          if (i === 0 && existsSync(live) && isAtWork()) child.kill("SIGKILL");
        }, 1);
        if (i > 0) setTimeout(() => child.kill("SIGKILL"), Math.random() * 250);
        await ended;
        clearInterval(watch);
        const answer = await scene.hook(preEvent(scene, "s", `next-${i}`), "--budget-ms", "60000");
        expect([decisionOf(answer), answer.err]).toEqual(["deny", ""]);
      }
      const file = scene.at(RUN, "live/s.jsonl");
      const { value, diagnostics } = foldLive(readFileSync(file, "utf8").split("\n"), file);
      expect(diagnostics).toEqual([]);
      const ids = (value?.decisions ?? []).flatMap(({ part, value: said }) =>
        part === "hook_answer" ? [(JSON.parse(String(said)) as { toolUseId: string }).toolUseId] : [],
      );
      expect(ids.filter((id) => id.startsWith("next-"))).toHaveLength(kills);
      expect(readdirSync(scene.at(RUN, "live")).filter((name) => name.endsWith(".lock"))).toEqual([]);
    },
    PATIENCE * 5,
  );

  it(
    "is free again when a host ends the process that holds it",
    async () => {
      for (const signal of ["SIGTERM", "SIGINT"] as const)
        for (const ms of THOROUGH ? [40, 80, 120, 160, 200] : [120]) {
          const { child, ended } = scene.start(
            [path.resolve("dist/hook.cjs"), "--host", "claude-code", "--no-resident"],
            JSON.stringify(preEvent(scene, "s", `${signal}-${ms}`)),
          );
          setTimeout(() => child.kill(signal), ms);
          await ended;
        }
      const live = scene.at(RUN, "live");
      const names = existsSync(live) ? readdirSync(live) : [];
      expect(names.filter((name) => name.endsWith(".lock"))).toEqual([]);
    },
    PATIENCE,
  );
});

describe("A machine in trouble", () => {
  const users = (): string[] =>
    ["home", "cache", "state", "config"].map((name) => path.join(scene.base, name));

  it.each<[string, () => void]>([
    [
      "home, cache, state and configuration cannot be made",
      () => {
        rmSync(path.join(scene.base, "home"), { recursive: true });
        for (const name of ["home", "cache", "state", "config"])
          writeFileSync(path.join(scene.base, name), "");
      },
    ],
    [
      "neither the workspace nor the user's folders can be written",
      () => {
        writeFileSync(scene.at(".hasp"), "");
        for (const name of ["cache", "state", "config"]) writeFileSync(path.join(scene.base, name), "");
      },
    ],
  ])(
    "changes no verdict: %s",
    async (_what, plant) => {
      plant();
      const answer = await scene.hook(preEvent(scene, "s", "1"));
      expect([answer.code, decisionOf(answer)]).toEqual([0, "deny"]);
    },
    PATIENCE,
  );

  /** Each by itself; in the normal form both at once. */
  const PARTS: readonly [string, () => Mounts][] = [
    ["the workspace's disk is full", () => ({ full: [scene.workspace] })],
    ["the workspace can only be read", () => ({ readOnly: [scene.workspace] })],
    ["the user's disk is full", () => ({ full: users() })],
    ["the user's folders can only be read", () => ({ readOnly: users() })],
  ];

  it.each<[string, () => Mounts]>([
    ["every disk is full", () => ({ full: [scene.workspace, ...users()] })],
    ["every disk can only be read", () => ({ readOnly: [scene.workspace, ...users()] })],
    ...(THOROUGH ? PARTS : []),
  ])(
    "changes no verdict, for a second call either: %s",
    async (_what, mounts) => {
      for (const name of ["cache", "state", "config"]) mkdirSync(path.join(scene.base, name));
      for (const id of ["1", "2"]) {
        const answer = await scene.hookWith(mounts(), preEvent(scene, "s", id));
        expect([answer.code, decisionOf(answer)]).toEqual([0, "deny"]);
      }
    },
    PATIENCE,
  );
});
