import type * as vscode from "vscode";
import { libraryOf, refsOf, type RecordedLibraryPorts } from "../../app/recorded-library.ts";
import { counted } from "../../model/counted.ts";
import type { Checked } from "../../model/diagnostic.ts";
import type { Episode, SkillRef } from "../../model/episode.ts";
import { RequestError } from "../../protocol/connection.ts";
import type { OpenedRun } from "../../protocol/replay.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import { runPaths } from "../../trace/run-paths.ts";
import { need } from "../checked.ts";
import { COMMANDS } from "../contributions.ts";
import type { FoundRun } from "../runs/find-runs.ts";
import { keptFile } from "../workspace/readonly-files.ts";
import type { SkillSource } from "./answer-commands.ts";
import type { RunSkillChoices } from "./run-skill-choices.ts";

/** The library that judges one episode. */
export interface EpisodeLibrary {
  /** The same for the same texts. */
  readonly name: string;
  /** RequestError where a text is missing or changed. */
  read(): Promise<readonly SkillFolder[]>;
}

type SkillTitle = OpenedRun["skills"][number];

interface Services {
  readonly ports: RecordedLibraryPorts;
  readonly choices: RunSkillChoices;
  readonly run: () => Promise<FoundRun>;
}

const nameOf = (refs: readonly SkillRef[]): string => JSON.stringify(refs);

/** The skills that the folder of one run keeps. */
export function openRunSkills(file: vscode.Uri, { ports, choices, run }: Services) {
  const isChosen = (): boolean => choices.isChosen(file);
  let latest:
    | { readonly name: string; readonly library: Promise<Checked<readonly SkillFolder[]>> }
    | undefined;

  /** Read once: texts of one hash do not change. What is missing may be copied there meanwhile, and is looked for again. */
  async function libraryNamed(refs: readonly SkillRef[]): Promise<Checked<readonly SkillFolder[]>> {
    const name = nameOf(refs);
    if (latest?.name !== name) latest = { name, library: libraryOf((await run()).folder, refs, ports) };
    const { library } = latest;
    const isRead = await library.then(
      ({ value }) => value !== undefined,
      () => false,
    );
    if (!isRead && latest?.library === library) latest = undefined;
    return library;
  }
  const read = async (refs: readonly SkillRef[]): Promise<readonly SkillFolder[]> =>
    need(await libraryNamed(refs));

  return {
    /** `judging`: they replace today's library; `kept`: they can. */
    async state(): Promise<"kept" | "judging" | undefined> {
      if (isChosen()) return "judging";
      const { folder } = await run();
      return (await ports.files.list(runPaths(folder).library)).length === 0 ? undefined : "kept";
    },
    /** The skills that judge an episode in place of today's; undefined: today's do. RequestError if they are not allowed. */
    of({ library }: Episode): EpisodeLibrary | undefined {
      if (!isChosen()) return undefined;
      const others = choices.notAllowed(library);
      if (others.length > 0)
        throw new RequestError(
          `${counted(others.length, "skill")} of this episode had no yes yet: ${others.map(({ skillId }) => skillId).join(", ")}.`,
          `“HASP: ${COMMANDS.judgeWithRunSkills.title}” asks for it.`,
        );
      return { name: nameOf(library), read: () => read(library) };
    },
    /** Those with a PF, of `run.json` or the first episode; where a text is missing, all of them by id. */
    async list(): Promise<readonly SkillTitle[]> {
      const refs = await refsOf(ports.files, await run());
      const { value } = await libraryNamed(refs);
      if (value === undefined) return refs.map(({ skillId }) => ({ skillId, title: skillId }));
      return value.flatMap(({ skill, pfSource }) =>
        skill === undefined || pfSource === undefined ? [] : [{ skillId: skill.skillId, title: skill.title }],
      );
    },
    /** The files of one skill, read-only; undefined where the run had none of that id. */
    async find(skillId: string): Promise<SkillSource | undefined> {
      const refs = (await refsOf(ports.files, await run())).filter((ref) => ref.skillId === skillId);
      const [skill] = refs.length === 0 ? [] : await read(refs);
      if (skill === undefined) return undefined;
      const pf = skill.pfSource === undefined ? undefined : keptFile(`${skill.folder}/pf.ts`);
      return { skillMd: keptFile(`${skill.folder}/SKILL.md`), pf };
    },
  };
}

export type RunSkills = ReturnType<typeof openRunSkills>;
