import { asIfActing, openLibrary } from "../../analysis/library.ts";
import { verdictsOn, type StepVerdict } from "../../analysis/step-verdict.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";
import type { RecordedStep } from "./recorded-step.ts";

export interface TodayServices {
  readonly library: LibrarySource;
  readonly startHost: () => PfHost;
}

/** A skill, and what its PF decides on the step; undefined where its PF cannot be loaded. */
export interface SkillToday {
  readonly skill: LocatedSkill;
  readonly today: StepVerdict | undefined;
}

/** What the PFs of these skills decide today on a recorded step, each asked alone, in a sandbox of its own. */
export async function todayOn(
  { library, startHost }: TodayServices,
  { episode, t, domain }: RecordedStep,
  skills: readonly LocatedSkill[],
): Promise<readonly SkillToday[]> {
  const host = startHost();
  try {
    // A person asks about these: also one that hasp.yaml switches off answers.
    const folders = (await library.read(skills)).map(asIfActing);
    const { active } = await openLibrary(folders, host);
    const ids = active.map(({ skill }) => skill.skillId);
    const place = { episode, t, rules: domain.contextRules, actionTypes: domain.actionTypes };
    const verdicts = await verdictsOn(ids, place, host);
    return skills.map((skill) => ({ skill, today: verdicts.get(skill.skillId) }));
  } finally {
    await host.close();
  }
}
