import { runSkill, type SkillRun } from "../analysis/run-skill.ts";
import { isClean, once, type Diagnostic } from "../model/diagnostic.ts";
import { serialQueue } from "../model/serial-queue.ts";
import { applyFixes, type FixedFile } from "../skill/fix-skill.ts";
import { partRules } from "../skill/part-rules.ts";
import { promptHint } from "../skill/prompt-hint.ts";
import { readSkillFolder, type SkillFolder } from "../skill/read-skill.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { openLoadCommandChecks, type Guards } from "./load-commands.ts";
import type { Judging } from "./ports.ts";

export type { SkillRun } from "../analysis/run-skill.ts";

/** No file of a skill that was read is longer. */
const MAX_BYTES = 10_000_000;

export interface CheckOrder {
  readonly folder: SkillFolder;
  /** When its Program Function is asked the nine mock calls (SPEC §7 D). */
  readonly mockCalls: "always" | "where clean" | "never";
  /** Run its cases after the mock calls, where nothing is wrong so far. */
  readonly cases: boolean;
}

/** All that is found on a skill by itself. */
export interface CheckedSkill {
  /** Undefined where the Program Function was not run. */
  readonly ran: SkillRun | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks skills one after the other in one sandbox, which starts with the first run. */
export interface SkillChecks {
  /** SKILL.md, types and rules of pf.ts, cases.yaml, then what a run shows. */
  check(order: CheckOrder): Promise<CheckedSkill>;
  close(): Promise<void>;
}

type Run = (folder: SkillFolder, casesText: string | undefined, cases: boolean) => Promise<SkillRun>;

/** Without a program, the diagnostics of pf.ts are what the run shows. */
const shownOf = ({ program, pfSource }: SkillFolder): string | undefined => program?.code ?? pfSource;

const isSameRun = (a: SkillFolder, b: SkillFolder): boolean =>
  a.skill === b.skill && a.cases === b.cases && shownOf(a) === shownOf(b);

/** A run of the same content is not repeated, as after a save: what is read from the same text is the same object. */
function cachedRuns(run: Run): Run {
  const known = new Map<string, { readonly read: SkillFolder; readonly ran: Promise<SkillRun> }>();
  return (read, casesText, cases) => {
    const key = `${cases} ${read.folder}`;
    const before = known.get(key);
    if (before !== undefined && isSameRun(before.read, read)) return before.ran;
    const entry = { read, ran: run(read, casesText, cases) };
    known.set(key, entry);
    entry.ran.catch(() => {
      if (known.get(key) === entry) known.delete(key);
    });
    return entry.ran;
  };
}

type Texts = Pick<Judging, "compiler"> & { readonly files: SkillFiles };

async function typed(folder: SkillFolder, compiler: Judging["compiler"]): Promise<readonly Diagnostic[]> {
  const { pfSource } = folder;
  const found = pfSource === undefined ? [] : await compiler.check(`${folder.folder}/pf.ts`, pfSource);
  return once([...folder.diagnostics, ...found]);
}

async function textOf(files: SkillFiles, path: string): Promise<string | undefined> {
  const found = await files.readText(path, MAX_BYTES);
  return found.kind === "text" ? found.text : undefined;
}

async function hints(folder: SkillFolder, compiler: Judging["compiler"]): Promise<readonly Diagnostic[]> {
  const { pfSource, skillMd } = folder;
  if (pfSource === undefined) return [];
  const { instruction, part } = await compiler.promptEquivalence(`${folder.folder}/pf.ts`, pfSource);
  const ofPart =
    skillMd === undefined || part === undefined
      ? []
      : partRules(folder, skillMd, part, await compiler.domains());
  return [...ofPart, ...promptHint(folder, skillMd, instruction)];
}

/**
 * Opens the checks of skills; `files` are those that the skills are read from. With `guards`, shell lines that run when a host loads a skill
 * are judged.
 */
export function openSkillChecks({
  files,
  compiler,
  startHost,
  guards,
}: Texts & Pick<Judging, "startHost"> & { readonly guards?: Guards }): SkillChecks {
  const loadCommands = guards && openLoadCommandChecks(guards, { compiler, startHost });
  let host: ReturnType<Judging["startHost"]> | undefined;
  // A sandbox holds one skill at a time.
  const inTurn = serialQueue();
  const run = cachedRuns((folder, casesText, cases) =>
    inTurn(() => runSkill(folder, (host ??= startHost()), { cases, casesText })),
  );
  async function ranOf(
    { folder, mockCalls, cases }: CheckOrder,
    clean: boolean,
  ): Promise<SkillRun | undefined> {
    if (mockCalls === "never" || folder.pfSource === undefined) return undefined;
    if (mockCalls === "where clean" && !(clean && folder.program !== undefined)) return undefined;
    const runsCases = cases && clean;
    const hasCases = runsCases && folder.cases.length > 0;
    return run(folder, hasCases ? await textOf(files, `${folder.folder}/cases.yaml`) : undefined, runsCases);
  }
  return {
    async check(order) {
      const { folder } = order;
      const read = await typed(folder, compiler);
      const ran = await ranOf(order, isClean(read));
      const onLoad = (await loadCommands?.check(folder)) ?? [];
      const told = [...read, ...onLoad, ...(ran?.diagnostics ?? []), ...(await hints(folder, compiler))];
      return { ran, diagnostics: told };
    },
    close: async () => void (await Promise.all([host?.close(), loadCommands?.close()])),
  };
}

/** Fixes in memory all findings of a skill that need no choice; the files whose text changes. */
export function fixSkill(folder: string, { files, compiler }: Texts): Promise<readonly FixedFile[]> {
  return applyFixes(files, folder, async (texts, path) =>
    typed(await readSkillFolder(texts, compiler, path), compiler),
  );
}
