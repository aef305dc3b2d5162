import { noOutcomes } from "../../model/outcomes.ts";
import type { Outcome } from "../../model/episode.ts";
import { openRun } from "../../trace/run-folder.ts";
import { counted } from "../../model/counted.ts";
import { answer, oneLine } from "./answer.ts";
import { listedSkills, type ListedSkill } from "./find-skill.ts";
import { MOST_RUNS } from "./find-run.ts";
import { stopIfCancelled, type AssistAnswer, type AssistCall, type AssistWorld } from "./world.ts";

interface ListedRun {
  readonly run: string;
  readonly title: string;
  readonly domain: string | undefined;
  readonly episodes: Readonly<Record<Outcome, number>>;
}

function skillLine({ folder, skill, files }: ListedSkill, world: AssistWorld): string {
  const parts = ["pf.ts", "cases.yaml"].filter((name) => files.includes(name));
  const has = parts.length === 0 ? "text only" : parts.join(" + ");
  return `- ${oneLine(skill.skillId, 80)} v${skill.version} priority ${skill.priority} (${oneLine(world.shown(folder))}; ${has}): ${oneLine(skill.description, 160)}`;
}

async function listedRun(
  world: AssistWorld,
  folder: string,
  { signal }: AssistCall,
): Promise<ListedRun | undefined> {
  const opened = await openRun(world.files, folder, { save: world.mayRun, signal }).catch(() => undefined);
  if (opened === undefined) return undefined;
  const episodes = noOutcomes();
  for (const { head } of opened.index.entries) episodes[head.outcome] += 1;
  return { run: world.shown(folder), title: opened.title, domain: opened.run?.domain, episodes };
}

function runLine({ run, domain, episodes }: ListedRun): string {
  const counts = Object.entries(episodes).flatMap(([outcome, n]) => (n > 0 ? `${n} ${outcome}` : []));
  const of = domain === undefined ? "" : ` ${oneLine(domain, 60)}`;
  return `- ${oneLine(run)}:${of} episodes, ${counts.length === 0 ? "none" : counts.join(", ")}`;
}

/** The workspace's skills, and the runs that they can be backtested on. */
export async function listSkills(
  world: AssistWorld,
  _input: object,
  call: AssistCall,
): Promise<AssistAnswer> {
  const skills = await listedSkills(world);
  const folders = await world.runFolders();
  const runs: ListedRun[] = [];
  for (const folder of folders.slice(0, MOST_RUNS)) {
    stopIfCancelled(call);
    call.onProgress(runs.length, Math.min(MOST_RUNS, folders.length), world.shown(folder));
    const run = await listedRun(world, folder, call);
    if (run !== undefined) runs.push(run);
  }
  const more = folders.length > MOST_RUNS ? [`… ${counted(folders.length - MOST_RUNS, "more run")}`] : [];
  return answer(
    [
      `${counted(skills.length, "skill")} of this workspace`,
      ...skills.map((skill) => skillLine(skill, world)),
      counted(folders.length, "recorded run"),
      ...runs.map(runLine),
      ...more,
    ],
    {
      skills: skills.map(({ folder, skill, files }) => ({
        skillId: skill.skillId,
        name: skill.name,
        folder: world.shown(folder),
        description: skill.description,
        version: skill.version,
        priority: skill.priority,
        hasProgramFunction: files.includes("pf.ts"),
        hasCases: files.includes("cases.yaml"),
      })),
      runs,
    },
  );
}
