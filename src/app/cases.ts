import { caseOutcome } from "../analysis/case-outcome.ts";
import { asIfActing, domainOfFolder, openLibrary } from "../analysis/library.ts";
import type { CaseOutcome } from "../model/case-result.ts";
import type { SkillCase } from "../model/case.ts";
import { once, type Checked } from "../model/diagnostic.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import type { Judging } from "./ports.ts";

/** Runs one case of the skill that was opened last. */
export type RunCase = (test: SkillCase) => Promise<CaseOutcome>;

/** Cases of skills, one skill at a time, in one sandbox that starts with the first skill. */
export interface CaseRuns {
  /**
   * Loads a skill alone, as if nothing switched it off. The diagnostics are its errors; without a value they say why no case can be run,
   * and are empty for a skill without a Program Function.
   */
  open(folder: SkillFolder): Promise<Checked<RunCase>>;
  close(): Promise<void>;
}

export function openCaseRuns({ compiler, startHost }: Pick<Judging, "compiler" | "startHost">): CaseRuns {
  let host: ReturnType<Judging["startHost"]> | undefined;
  return {
    async open(folder) {
      const own = (host ??= startHost());
      const library = await openLibrary([asIfActing(folder)], own);
      const [active] = library.active;
      const domain = domainOfFolder(folder.folder, folder.skill?.applicableModes);
      const bench = active && { active, domain, compiler, host: own };
      const found = once([...library.diagnostics, ...folder.diagnostics]);
      return {
        value: bench && ((test) => caseOutcome(test, bench)),
        diagnostics: found.filter(({ severity }) => severity === "error"),
      };
    },
    close: async () => host?.close(),
  };
}
