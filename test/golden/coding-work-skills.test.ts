import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeRecorded } from "../../src/analysis/judge.ts";
import type { Library } from "../../src/analysis/library.ts";
import type { ProjectCheck, ToolResult, World } from "../../src/model/coding-context.ts";
import type { Episode, Step } from "../../src/model/episode.ts";
import { codingSession } from "../support/coding-session.ts";
import { loadSkills, openCore } from "../support/core.ts";
import { importFiles } from "../unit/trace/formats-support.ts";

const WORK = [
  "tests-before-done edit-unread-file edit-that-must-fail format-after-edit check-types-after-edit",
  "debug-code-left edit-loop protected-files",
]
  .flatMap((line) => line.split(" "))
  .map((name) => `skills/coding-agent/${name}`);

const core = openCore();
let library: Library;
beforeAll(async () => {
  library = await loadSkills(core, ...WORK);
});
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

interface Called {
  readonly type: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly says?: string;
  readonly observation?: string;
  readonly result?: ToolResult;
  readonly world?: World;
  readonly prompts?: readonly string[];
}

function stepOf(
  { type, input, says = "", observation = "", result, world, prompts }: Called,
  t: number,
): Step {
  const action = { type, arg: input === undefined ? says : JSON.stringify(input) };
  return {
    t,
    ...(prompts === undefined ? {} : { prompts: [...prompts] }),
    proposals: [{ thought: "", action, ...(world === undefined ? {} : { world }) }],
    events: [],
    executed: action,
    injected: [],
    observation,
    ...(result === undefined ? {} : { result }),
  };
}

function session(question: string, project: readonly ProjectCheck[], calls: readonly Called[]): Episode {
  return codingSession(question, project, calls.map(stepOf));
}

/** `step skill` of each intervention, steps from 1 as people count them. */
async function firesOf(episode: Episode): Promise<string[]> {
  const judged = await judgeRecorded(episode, library, core.host);
  return judged.flatMap(({ t, events }) =>
    events.flatMap(({ skillId, status }) => (status === "applied" ? [`${t + 1} ${skillId}`] : [])),
  );
}

const NPM: readonly ProjectCheck[] = [
  { kind: "test", command: "npm test" },
  { kind: "types", command: "npm run typecheck" },
  { kind: "format", command: "npm run format" },
];
const read = (path: string): Called => ({ type: "Read", input: { path }, observation: "the text" });
const edit = (path: string, oldText: string, newText: string): Called => ({
  type: "Edit",
  input: { path, oldText, newText },
  observation: `The file ${path} has been updated.`,
});
const bash = (command: string, exitCode = 0, observation = ""): Called => ({
  type: "Bash",
  input: { command },
  observation,
  result: { exitCode },
});
const final = (says: string): Called => ({ type: "FINAL", says });

describe("a session that stops too early", () => {
  it("is held back by all that was overlooked at once, and let go when it stops again", async () => {
    const calls = [read("src/a.ts"), edit("src/a.ts", "1", "2"), final("Done."), final("Done, untested.")];
    expect(await firesOf(session("Make it 2.", NPM, calls))).toEqual([
      "3 tests_before_done",
      "3 check_types_after_edit",
      "3 format_after_edit",
    ]);
  });

  it("is held back again when the tests then fail, and not when they pass", async () => {
    const start = [read("src/a.ts"), edit("src/a.ts", "1", "2"), final("Done.")];
    const checks = [bash("npm run format"), bash("npm run typecheck")];
    const failed = [...start, ...checks, bash("npm test", 1), final("Done.")];
    const passed = [...start, ...checks, bash("npm test"), final("Done.")];
    const once = ["3 tests_before_done", "3 check_types_after_edit", "3 format_after_edit"];
    expect(await firesOf(session("Make it 2.", NPM, failed))).toEqual([...once, "7 tests_before_done"]);
    expect(await firesOf(session("Make it 2.", NPM, passed))).toEqual(once);
  });

  it("is held back at most twice for one prompt", async () => {
    const round = [edit("src/a.ts", "1", "2"), bash("npm test", 1), final("Done.")];
    const fires = await firesOf(
      session("Make it 2.", NPM.slice(0, 1), [read("src/a.ts"), ...round, ...round, ...round]),
    );
    expect(fires).toEqual(["4 tests_before_done", "7 tests_before_done"]);
  });
});

describe("debugging code over a session", () => {
  const fires = async (calls: readonly Called[]): Promise<string[]> =>
    (await firesOf(session("The clock is wrong.", [], calls))).filter((fire) => fire.includes("debug"));

  it("is named at the end while it is there", async () => {
    const debug = edit("src/a.ts", "return 1;", 'console.log("here");\nreturn 1;');
    expect(await fires([read("src/a.ts"), debug, bash("npm test"), final("Done.")])).toEqual([
      "4 debug_code_left",
    ]);
  });

  it("survives a later edit elsewhere in the file", async () => {
    const debug = edit("src/a.ts", "return 1;", "debugger;\nreturn 1;");
    const other = edit("src/a.ts", "const b = 1", "const b = 2");
    expect(await fires([read("src/a.ts"), debug, other, final("Done.")])).toEqual(["4 debug_code_left"]);
  });

  it.each([
    ["taken out by an edit", edit("src/a.ts", "debugger;\n", "")],
    ["gone with the file", bash("rm src/a.ts")],
    ["gone with all changes", bash("git checkout -- .")],
    ["perhaps gone by a command", bash("sed -i /debugger/d src/a.ts")],
    ["overwritten", { type: "Write", input: { path: "src/a.ts", content: "return 1;" } }],
  ] satisfies [string, Called][])("is not named when it is %s", async (_, last) => {
    const debug = edit("src/a.ts", "return 1;", "debugger;\nreturn 1;");
    expect(await fires([read("src/a.ts"), debug, last, final("Done.")])).toEqual([]);
  });

  it.each([
    ["output of a script", edit("scripts/report.js", "a", "console.log(rows)")],
    ["an error that is reported", edit("src/a.ts", "a", "console.error(problem)")],
    ["commented out", edit("src/a.ts", "a", "// console.log(rows)")],
    ["part of a text", edit("src/a.ts", "a", 'const help = "use console.log(x)";')],
    ["moved, not added", edit("src/a.ts", "console.log(rows)\na", "b\nconsole.log(rows)")],
    ["the way this file speaks", edit("src/a.ts", "console.log(old)", "console.log(a)\nconsole.log(b)")],
    ["a Python program's output", edit("app/run.py", "a", 'print("3 files written")')],
    ["documentation", edit("README.md", "a", "console.log(rows)")],
  ] satisfies [string, Called][])("is not what is %s", async (_, change) => {
    expect(await fires([read("x"), change, final("Done.")])).toEqual([]);
  });
});

describe("type checks between edits", () => {
  it("are spoken of once in eight edits", async () => {
    const edits = Array.from({ length: 20 }, (_, i) => edit(`src/part${i}.ts`, "a", "b"));
    const seen = edits.map(({ input }) => read(String(input?.["path"])));
    const fires = await firesOf(session("Rename it.", NPM, [...seen, ...edits]));
    expect(fires).toEqual(["29 check_types_after_edit", "37 check_types_after_edit"]);
  });
});

describe("what was turned down and comes again, in a record that names no checks", () => {
  const loops = async (calls: readonly Called[]): Promise<string[]> => {
    const fires = await firesOf(session("Solve it.", [], calls));
    return fires.filter((fire) => fire.endsWith("edit_loop"));
  };
  const turnedDown = (text: string): Called => ({
    type: "Edit",
    input: { path: "a.py", newText: text },
    result: { ok: false },
  });
  const submit = (says: string, more: Partial<Called> = {}): Called => ({ type: "FINAL", says, ...more });

  it("is spoken of: the same edit at once, other edits of the file after three, a submission after two", async () => {
    expect(await loops(Array.from({ length: 3 }, () => turnedDown("x")))).toEqual(["2 edit_loop"]);
    expect(await loops(["a", "b", "c", "d", "e"].map(turnedDown))).toEqual(["4 edit_loop"]);
    expect(await loops(Array.from({ length: 5 }, () => submit("flag{x}")))).toEqual(["3 edit_loop"]);
    const looked = { type: "Bash", input: { command: "cat flag.txt" } };
    const asked = [submit("flag{x}"), looked, submit("flag{x}"), looked, submit("flag{x}")];
    expect(await loops(asked)).toEqual(["5 edit_loop"]);
  });

  it("is not, where an error is corrected, a person spoke, or the answer is another one", async () => {
    expect(await loops([turnedDown("x"), edit("a.py", "o", "y"), turnedDown("x")])).toEqual([]);
    expect(await loops([turnedDown("x"), turnedDown("y"), edit("a.py", "o", "z")])).toEqual([]);
    const again = submit("Done.", { prompts: ["Again."] });
    expect(await loops([submit("Done."), again, again, again])).toEqual([]);
    expect(await loops(["flag{a}", "flag{b}", "flag{c}", "flag{d}"].map((says) => submit(says)))).toEqual([]);
  });
});

const FORMATS = path.resolve(import.meta.dirname, "../../../shared/data/formats");
const HERE = existsSync(FORMATS) ? "" : " (skipped: the shared files are not here)";
const REAL = [
  "swe-agent/function-calling.traj",
  "swe-agent/thought-action.traj",
  "swe-agent/humanevalfix.traj",
  "swe-agent/history-only.traj",
  "claude-code/representative_messages.jsonl",
  "claude-code/todowrite_examples.jsonl",
];

describe.skipIf(HERE !== "")(`real sessions${HERE}`, () => {
  const imported = async (name: string): Promise<Episode> => {
    const { episodes } = await importFiles(path.join(FORMATS, name));
    const [episode] = episodes;
    if (episode === undefined) throw new Error(`nothing in ${name}`);
    return episode;
  };

  it.each(REAL)("%s gives no cause: its record names no checks of the project", async (name) => {
    expect(await firesOf(await imported(name))).toEqual([]);
  });

  it("are held back at their end where the project has tests, which none of these agents ran", async () => {
    for (const name of REAL.slice(0, 4)) {
      const episode = await imported(name);
      const facts = { ...episode.facts, project: [{ kind: "test" as const, command: "pytest" }] };
      expect(await firesOf({ ...episode, facts })).toEqual([`${episode.length} tests_before_done`]);
    }
  });
});
