import type { Library } from "../../analysis/library.ts";
import type { RunnableDomain } from "../../domains/domain.ts";
import type {
  EnvironmentPorts,
  EnvironmentSettings,
  Passage,
  RunEnvironment,
  ToolOrder,
} from "../../domains/environment.ts";
import type { ControlChoice } from "../../evaluation/choose-control.ts";
import { libraryConflicts } from "../../evaluation/control-conflicts.ts";
import { libraryRefs, listIn } from "../../evaluation/library-refs.ts";
import type { EpisodeSettings } from "../../evaluation/run-settings.ts";
import type { RunTask } from "../../harness/run-questions.ts";
import { createBudget } from "../../llm/budget.ts";
import { isClean, type Diagnostic } from "../../model/diagnostic.ts";
import type { ReplyForm, RunSampling } from "../../model/sampling.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import type { Clock, Sha256 } from "../../trace/ports.ts";
import { inLibrary } from "../library.ts";
import { judgesNothing, openJudge } from "../open-judge.ts";
import type { Judging } from "../ports.ts";
import { need, refuse } from "../refusal.ts";
import { openModel, openPolicy, type ModelOrder, type ModelServices } from "./models.ts";

/** Services of every use case that runs episodes. */
export interface RunServices extends Judging {
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly models: ModelServices;
  readonly environment: Omit<EnvironmentPorts, "onTrouble">;
  /** The skills that the person chose, compiled. */
  readonly readSkills: (domain: string) => Promise<readonly SkillFolder[]>;
}

/** Models, control and tools of episodes. */
export interface EpisodeOrder {
  readonly domain: RunnableDomain;
  readonly choice: ControlChoice;
  /** Found while the settings were read. */
  readonly remarks: readonly Diagnostic[];
  readonly policy: ModelOrder;
  readonly teacher: ModelOrder | undefined;
  readonly sampling: RunSampling;
  readonly tools: ToolOrder;
  /** The run folder, which the caller has locked. */
  readonly folder: string;
  /** US dollars. */
  readonly maxDollars: number | undefined;
}

/** A call to a service failed after all tries; the episodes go on. */
export interface Trouble {
  readonly kind: "trouble";
  readonly message: string;
}

/** Everything that episodes run with, opened. */
export interface Parts {
  readonly library: Library;
  readonly environment: EnvironmentSettings;
  /** As episodes and `run.json` record them. */
  readonly episode: EpisodeSettings;
  readonly task: Omit<RunTask, "samples" | "messages" | "concurrency" | "onEpisode">;
}

interface Opening {
  readonly order: EpisodeOrder;
  /** Episodes at once. */
  readonly concurrency: number;
  readonly passages: readonly Passage[] | undefined;
  /** US dollars of earlier sittings. */
  readonly spent: number;
  readonly signal: AbortSignal;
  readonly on: (event: Trouble) => void;
  readonly found: Diagnostic[];
}

async function openModels({ order, spent }: Opening, { models }: RunServices) {
  const budget = models.account?.budget ?? createBudget(order.maxDollars, spent);
  const { prompt } = order.domain;
  const policy = need(await openPolicy(models, { ...order.policy, prompt }, budget));
  const teacher =
    order.teacher === undefined ? undefined : need(await openModel(models, order.teacher, budget));
  return { policy, teacher };
}

async function openTools(
  { order, passages, signal, on }: Opening,
  hasTeacher: boolean,
  services: RunServices,
): Promise<RunEnvironment> {
  const { domain, tools } = order;
  const onTrouble = (message: string): void => on({ kind: "trouble", message });
  const ports = { ...services.environment, onTrouble };
  const environment = need(await domain.openEnvironment({ tools, passages, hasTeacher }, ports));
  try {
    const diagnostics = await environment.check(signal);
    return need({ value: isClean(diagnostics) ? environment : undefined, diagnostics });
  } catch (error) {
    environment.close();
    throw error;
  }
}

/** The version of the prompt that asks for this form of replies: another form is another prompt. Refuses one that the domain lacks. */
function promptVersion({ name, prompt }: RunnableDomain, replies: ReplyForm = "text"): string {
  if (replies === "text") return prompt.version;
  if (prompt.structured === undefined)
    refuse("HASP863", `The domain ${name} has no replies as JSON.`, "Leave out `--replies json`.");
  return `${prompt.version}+${replies}`;
}

/**
 * Opens models, skills and tools, adds to `found` what is wrong with them, and closes all after the work. Nothing is written, and
 * only the free question of `check` is sent. Refuses where a part cannot be used.
 */
export async function withParts<T>(
  opening: Opening,
  services: RunServices,
  work: (parts: Parts) => Promise<T>,
): Promise<T> {
  const { order, concurrency, signal, found } = opening;
  const { domain, choice, sampling, folder } = order;
  const prompt = promptVersion(domain, sampling.replies);
  const { policy, teacher } = await openModels(opening, services);
  const skills = await services.readSkills(domain.name);
  return inLibrary(skills, services, async (library, host) => {
    const environment = await openTools(opening, teacher !== undefined, services);
    const judge = await openJudge(domain, { concurrency, openContainment: services.openContainment }).catch(
      (error: unknown) => {
        environment.close();
        throw error;
      },
    );
    found.unshift(...order.remarks);
    found.push(...library.diagnostics, ...libraryConflicts(choice, library.skills), ...judgesNothing(judge));
    const { setting, control } = choice;
    const names = { policy: policy.id, teacher: teacher?.id ?? "none", prompt };
    const { redactor } = services.models;
    const triggers = listIn(skills);
    const own = { ...names, setting, control, ...(triggers !== undefined && { triggers }) };
    const episode = { ...own, sampling };
    const task = {
      files: services.files,
      folder,
      host,
      domain,
      judge,
      control,
      policy,
      signal,
      ...(teacher !== undefined && { teacher }),
      library: library.skills,
      libraryRefs: libraryRefs(library, services.sha256),
      settings: own,
      sampling,
      redact: (text: string) => redactor.redact(text),
      openEnvironment: () => environment.openTools(),
    };
    try {
      return await work({ library, environment: environment.settings, episode, task });
    } finally {
      environment.close();
      await judge.close();
    }
  });
}
