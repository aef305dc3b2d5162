import { z } from "./zod.ts";

/** What a check of the work is for. */
export const checkKindSchema = z.enum(["test", "lint", "types", "build", "format"]);
export type CheckKind = z.infer<typeof checkKindSchema>;

/** Where in a command line a program stands: at its top, or in a part that the shell runs apart or perhaps. */
export const shellPlaceSchema = z.enum(["top", "subshell", "substitution", "function", "branch", "loop"]);
export type ShellPlace = z.infer<typeof shellPlaceSchema>;

/** One program that a command line runs, with the words that the shell would hand to it. */
export const shellCallSchema = z.object({
  /** The program without its folder and without what only wraps it (`sudo`, `env`, `timeout 5`): `git`. Empty for `> file` alone. */
  name: z.string(),
  /** Its words after the name, quotes taken off: `["push", "--force"]`. */
  args: z.array(z.string()),
  /** Switches of `args`: short ones apart (`-rf` is `r` and `f`), long ones with their dashes and without a value (`--force`). */
  flags: z.array(z.string()),
  /** The words of `args` that are no switches. */
  operands: z.array(z.string()),
  /** False where a word has a part that only the shell knows, such as `$HOME` or `$(…)`; such a part stands in `args` as written. */
  literal: z.boolean(),
  /** What wraps it, outermost first: `["sudo", "xargs"]`; `bash -c` for a program inside the text of `bash -c '…'`. */
  via: z.array(z.string()),
  place: shellPlaceSchema,
  /** Names of the programs that its output goes into and its input comes from, through pipes. */
  into: z.array(z.string()),
  from: z.array(z.string()),
  /** Files and operators: `{ op: ">", target: "out.txt" }`; of a heredoc (`<<`) and a here-string (`<<<`) the text itself. Without the stream's number. */
  redirects: z.array(z.object({ op: z.string(), target: z.string() })),
  /** Variables that are set for it alone: `NODE_ENV=test`. */
  env: z.record(z.string(), z.string()),
  /** It runs in the background (`&`). */
  background: z.boolean(),
  /** Its half-open range in the command line, wrappers included; undefined inside the text of `bash -c '…'`. */
  range: z.object({ start: z.number(), end: z.number() }).optional(),
});
export type ShellCall = z.infer<typeof shellCallSchema>;

/** A command line as its shell would read it. */
export const shellCommandSchema = z.object({
  source: z.string(),
  dialect: z.enum(["bash", "powershell"]),
  /** Every program that it could run, in the order of the text, those of subshells, substitutions and `bash -c` among them. */
  calls: z.array(shellCallSchema),
  /** What could not be read; `calls` then holds what could. */
  errors: z.array(z.string()),
  /** A part was too long, too deep or too much to be read: nobody knows what it does. */
  unread: z.boolean().optional(),
});
export type ShellCommand = z.infer<typeof shellCommandSchema>;

/** What a tool call writes to one file. Paths are relative to the working folder where they lie in it, with `/`. */
export const fileChangeSchema = z.object({
  path: z.string(),
  kind: z.enum(["create", "replace", "delete"]),
  /** The text that is replaced; undefined for a whole file. */
  before: z.string().optional(),
  /** The text that comes; empty for a deletion. */
  after: z.string(),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

/** What is known of a file from the session. Numbers are steps, 0-based; undefined: never. */
export const knownFileSchema = z.object({
  path: z.string(),
  readAt: z.number().optional(),
  /** Read by the Read tool, by a command (`cat`), by a search that listed it, or because a person named it (`@file`). */
  readBy: z.enum(["tool", "command", "search", "person"]).optional(),
  editedAt: z.number().optional(),
  /** Tool calls that changed it, successful ones only. */
  edits: z.number(),
  /** The session made it. */
  createdAt: z.number().optional(),
  /** Its change is in the stash of Git, since which it is as it was before. */
  stashedAt: z.number().optional(),
  /** The step since which its text is as it is now, where the same change was made before and taken back in between. */
  sameSince: z.number().optional(),
  /** A hash of the changes since it was as before the session, and the steps at which it stood at such hashes. */
  trail: z.string().optional(),
  stood: z.array(z.tuple([z.string(), z.number()])).optional(),
  /** Files that it would write if it were run, or applied as a patch, as its text says. */
  writes: z.array(z.string()).optional(),
});
export type KnownFile = z.infer<typeof knownFileSchema>;

/** A command that has run. */
export const ranCommandSchema = z.object({
  /** Step, 0-based. */
  t: z.number(),
  /** At most 500 characters. */
  command: z.string(),
  /** Names of its programs. */
  programs: z.array(z.string()),
  exitCode: z.number().optional(),
  /** Undefined where the host did not say. */
  ok: z.boolean().optional(),
  /** Of a command that failed: a hash of what it printed, without times, addresses and process ids. */
  output: z.string().optional(),
});
export type RanCommand = z.infer<typeof ranCommandSchema>;

/** A test, lint, type check, build or formatting that has run. */
export const checkSchema = z.object({
  t: z.number(),
  kind: checkKindSchema,
  command: z.string(),
  /** Undefined where the host did not say and its output does not tell. */
  passed: z.boolean().optional(),
  /** It ran on the project as it was before the session: no change had been made, or all were taken back or stashed. */
  base: z.boolean().optional(),
  /** Of one that failed: a hash of how its output ends, without times, addresses and process ids. */
  failure: z.string().optional(),
  /** It ran a script that the session made: its failure says nothing of the project, and it is no test of the project's. */
  own: z.boolean().optional(),
  /**
   * It was started in the background and its result is still to come. The texts are the host's name of the task and the files that it writes
   * into, as far as they are known.
   */
  running: z.array(z.string()).optional(),
});
export type Check = z.infer<typeof checkSchema>;

/** The commands by which this project checks itself, as its own files name them. */
export const projectCheckSchema = z.object({ kind: checkKindSchema, command: z.string() });
export type ProjectCheck = z.infer<typeof projectCheckSchema>;

/** What the host saw of the world when the call was proposed. It is recorded, so that a replay sees the same. */
export const worldSchema = z.object({
  /** The branch that is checked out. */
  branch: z.string().optional(),
  /** The files that the call reads or changes. */
  files: z
    .array(
      z.object({
        path: z.string(),
        exists: z.boolean(),
        /** How often the text to be replaced occurs, one number for each change of the file, in their order. */
        occurrences: z.array(z.number()).optional(),
      }),
    )
    .optional(),
  /** Tasks in the background as the agent wants to stop: those that still run, and those whose end the host told the agent. */
  tasks: z
    .array(z.object({ id: z.string(), state: z.enum(["running", "passed", "failed", "ended"]) }))
    .optional(),
});
export type World = z.infer<typeof worldSchema>;

/** How a tool call ended, besides its text. */
export const toolResultSchema = z.object({
  exitCode: z.number().int().optional(),
  ok: z.boolean().optional(),
});
export type ToolResult = z.infer<typeof toolResultSchema>;

/**
 * What a step context of a coding agent has besides the common fields. The first five are about the proposed call, the others
 * about the steps before it.
 */
export const codingFieldsSchema = z.object({
  /** The canonical tool of the proposed call, and its input. */
  call: z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()) }),
  /** The command line of a Bash or PowerShell call. */
  command: shellCommandSchema.optional(),
  /** What the call would write. */
  changes: z.array(fileChangeSchema),
  /** Files that a command line would delete, a `cd` on the way counted; patterns stay as they are. */
  deletes: z.array(z.string()).optional(),
  /** How often this very call has run in this session, and how often in a row just before. */
  repeated: z.object({ times: z.number(), inARow: z.number() }),
  world: worldSchema,
  files: z.array(knownFileSchema),
  /** Files that the session made and deleted again, the latest 100. */
  gone: z.array(z.string()).optional(),
  /** The latest 200. */
  commands: z.array(ranCommandSchema),
  /** The latest 100. */
  checks: z.array(checkSchema),
  /** The step of the latest successful change of a file. */
  lastEditAt: z.number().optional(),
  /** What the person said, oldest first; the first is `question`. */
  prompts: z.array(z.string()),
  project: z.array(projectCheckSchema),
  /** The folder in which the agent works, where it is known. */
  cwd: z.string().optional(),
});
export type CodingFields = z.infer<typeof codingFieldsSchema>;
