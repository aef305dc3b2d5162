import { openLibrary, type Library } from "../../analysis/library.ts";
import type { ControlChoice } from "../../evaluation/choose-control.ts";
import { libraryConflicts } from "../../evaluation/control-conflicts.ts";
import { libraryRefs, listIn } from "../../evaluation/library-refs.ts";
import type { LibrarySkill } from "../../harness/select/select.ts";
import { createBudget } from "../../llm/budget.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import type { Checked, Diagnostic } from "../../model/diagnostic.ts";
import type { SkillRef } from "../../model/episode.ts";
import type { ShippedList } from "../../model/shipped-lists.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import type { Sha256 } from "../../trace/ports.ts";
import { checked, need } from "../refusal.ts";
import { openModel, type ModelOrder, type ModelServices } from "./models.ts";

/** The part of a served agent's episodes that HASP chooses; the agent itself is the policy. */
export interface ServingOrder {
  readonly teacher: ModelOrder | undefined;
  /** US dollars for the teacher. */
  readonly maxDollars: number | undefined;
  readonly choice: ControlChoice;
  /** Found while the settings were read. */
  readonly remarks: readonly Diagnostic[];
}

export interface ServingServices {
  readonly models: ModelServices;
  readonly sha256: Sha256;
  /** Holds the skills as long as the agent is served. */
  readonly host: PfHost;
  readonly readSkills: () => Promise<readonly SkillFolder[]>;
}

export interface Serving {
  readonly teacher?: ChatModel;
  readonly library: readonly LibrarySkill[];
  readonly libraryRefs: readonly SkillRef[];
  /** The list of shipped skills, as `run.json` records it. */
  readonly triggers?: ShippedList;
  /** The texts of the library. */
  readonly kept: Library["kept"];
}

/** Opens teacher and skills for agents that are served. No value where the teacher's spec names no model. */
export function openServing(
  { teacher: named, maxDollars, choice, remarks }: ServingOrder,
  { models, sha256, host, readSkills }: ServingServices,
): Promise<Checked<Serving>> {
  return checked(async (found) => {
    const budget = createBudget(maxDollars);
    const teacher = named === undefined ? undefined : need(await openModel(models, named, budget));
    const skills = await readSkills();
    const triggers = listIn(skills);
    const library = await openLibrary(skills, host);
    found.push(...library.diagnostics, ...remarks, ...libraryConflicts(choice, library.skills));
    return {
      ...(teacher !== undefined && { teacher }),
      library: library.skills,
      libraryRefs: libraryRefs(library, sha256),
      ...(triggers !== undefined && { triggers }),
      kept: library.kept,
    };
  });
}
