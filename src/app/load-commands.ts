import { judgeRecorded } from "../analysis/judge.ts";
import { openLibrary, type Library } from "../analysis/library.ts";
import { CODING_ACTIONS } from "../model/coding-tools.ts";
import { clip } from "../model/clip.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { CODING_AGENT } from "../model/domain-names.ts";
import { EPISODE_SCHEMA, type Episode } from "../model/episode.ts";
import { serialQueue } from "../model/serial-queue.ts";
import { loadCommandsIn, type LoadCommand } from "../skill/load-commands.ts";
import {
  findSkillFolders,
  readSkillFolder,
  type SkillCompiler,
  type SkillFolder,
} from "../skill/read-skill.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { argOfInput } from "../trace/canonical-input.ts";
import type { Judging } from "./ports.ts";

/** The shipped skills, of which those for coding agents are the guards. */
export interface Guards {
  readonly files: SkillFiles;
  /** The folder of the shipped skills of a domain. */
  readonly folderOf: (domain: string) => string;
}

/** The guard that would refuse a command, or change it, and its reason. */
interface Objection {
  readonly skillId: string;
  readonly reason: string;
}

/** No command is about this folder or its parents. */
const CWD = "/project";
/** Commands whose judgement is kept; while one is typed, each pause makes another. */
const MOST_KNOWN = 500;

/** A command in a message. */
export function shownCommand(command: string): string {
  const [first = "", ...further] = command.split("\n");
  return `${clip(first, 120)}${further.length > 0 ? " …" : ""}`;
}

/** A session whose agent proposes one command before anything has been said or done. */
function sessionWith(tool: string, command: string): Episode {
  const action = { type: tool, arg: argOfInput(tool, { command }) };
  const step = {
    t: 0,
    proposals: [{ thought: "", action }],
    events: [],
    executed: action,
    injected: [],
    observation: "",
  };
  return {
    schema: EPISODE_SCHEMA,
    id: "load",
    questionId: "load",
    sample: 1,
    outcome: "unjudged",
    length: 1,
    question: "",
    source: "hasp",
    facts: {
      domain: CODING_AGENT,
      actionTypes: [...CODING_ACTIONS],
      searchReturnsText: false,
      maxSteps: 1,
      cwd: CWD,
    },
    settings: { policy: "hook", teacher: "none" },
    library: [],
    steps: [step],
    stopReason: "",
  };
}

function diagnosticOf(
  { command, range, allowedBy }: LoadCommand,
  { skillId, reason }: Objection,
  file: string,
): Diagnostic {
  const unasked =
    allowedBy === undefined ? "" : `, unasked because of \`allowed-tools: ${clip(allowedBy, 60)}\``;
  return {
    code: "HASP128",
    severity: allowedBy === undefined ? "warning" : "error",
    message: `Claude Code runs \`${shownCommand(command)}\` when it loads the skill${unasked}. The guard ${skillId} would not let an agent run it: ${reason}.`,
    next: "Take the command out, or write it without `!`, so that the agent proposes it like any other.",
    file,
    range,
  };
}

/** Judges the shell lines that skills run when they are loaded by the guards that judge an agent's own commands. */
export interface LoadCommandChecks {
  check(folder: SkillFolder): Promise<readonly Diagnostic[]>;
  close(): Promise<void>;
}

/** The guards are read and start with the first command. */
export function openLoadCommandChecks(
  { files, folderOf }: Guards,
  { compiler, startHost }: { readonly compiler: SkillCompiler } & Pick<Judging, "startHost">,
): LoadCommandChecks {
  let host: ReturnType<Judging["startHost"]> | undefined;
  let library: Promise<Library> | undefined;
  const known = new Map<string, Objection | undefined>();
  const inTurn = serialQueue();

  async function open(sandbox: ReturnType<Judging["startHost"]>): Promise<Library> {
    const folders = await findSkillFolders(files, folderOf(CODING_AGENT));
    return openLibrary(
      await Promise.all(folders.map((one) => readSkillFolder(files, compiler, one))),
      sandbox,
    );
  }

  async function judge(tool: string, command: string): Promise<Objection | undefined> {
    const key = `${tool} ${command}`;
    if (known.has(key)) return known.get(key);
    const sandbox = (host ??= startHost());
    const [judged] = await judgeRecorded(
      sessionWith(tool, command),
      await (library ??= open(sandbox)),
      sandbox,
    );
    const event = judged?.events.find(
      ({ status, intervention }) => status === "applied" && intervention?.type === "MODIFY_ACTION",
    );
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, event && { skillId: event.skillId, reason: event.reason });
    return known.get(key);
  }

  return {
    async check({ folder, skillMd = "" }) {
      const { tool, commands } = loadCommandsIn(skillMd);
      const found: Diagnostic[] = [];
      for (const one of commands) {
        const objection = await inTurn(() => judge(tool, one.command));
        if (objection !== undefined) found.push(diagnosticOf(one, objection, `${folder}/SKILL.md`));
      }
      return found;
    },
    close: async () => host?.close(),
  };
}
