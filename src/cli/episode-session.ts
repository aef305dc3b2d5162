import type { EpisodeOrder, RunServices } from "../app/run/parts.ts";
import type { ModelServices } from "../app/run/models.ts";
import type { WorkspaceConfig } from "../app/run/settings.ts";
import type { RunnableDomain } from "../domains/domain.ts";
import { defaultSampling } from "../model/sampling.ts";
import { systemClock } from "../platform/clock.ts";
import { retrieverKeys } from "../platform/retriever-keys.ts";
import { asOnlyWriter } from "../platform/run-lock.ts";
import { sha256 } from "../platform/sha256.ts";
import { variables } from "../platform/surroundings.ts";
import { openWebClient } from "../platform/web-client.ts";
import { controlFor, readConfig, withoutErrors } from "./control-options.ts";
import type { Call } from "./define-command.ts";
import type { EpisodeOptions } from "./episode-options.ts";
import { interruptible } from "./interrupt.ts";
import { modelOrder, withModels } from "./models.ts";
import type { Options } from "./options.ts";
import { toolsIn } from "./retriever-options.ts";
import { readSkills, type Session } from "./session.ts";

/** The skills that `--skills` names, or those of `hasp.yaml`; none with `--no-skills`, which is `false`. */
export async function chosenSkills(skills: readonly string[] | boolean | undefined, session: Session) {
  return skills === false ? [] : readSkills(typeof skills === "object" ? skills : undefined, session);
}

/** A call of a command that makes episodes. */
export type EpisodeCall = Pick<Call<Options>, "terminal" | "session" | "isGiven"> & {
  readonly options: EpisodeOptions;
};

/** An open session of a command that makes episodes. */
export interface EpisodeSession {
  readonly services: RunServices;
  /** Aborted by Ctrl-C, and where the lock of the folder is lost. */
  readonly signal: AbortSignal;
  readonly config: WorkspaceConfig;
}

/** Runs a command as the only writer of its folder, with services that are closed whatever happens. */
export async function inEpisodeSession<T>(
  { options: { output, skills }, terminal, session }: EpisodeCall,
  work: (session: EpisodeSession) => Promise<T>,
): Promise<T> {
  const { files, compiler, host, openContainment } = session;
  const within = async (models: ModelServices, signal: AbortSignal): Promise<T> => {
    const { timing, redactor } = models;
    const services: RunServices = {
      files,
      compiler,
      startHost: () => host,
      openContainment,
      clock: systemClock,
      sha256,
      models,
      environment: { openClient: openWebClient, keys: retrieverKeys(variables()), timing, redactor },
      readSkills: () => chosenSkills(skills, session),
    };
    const read = await readConfig(files);
    const config = withoutErrors(read);
    terminal.diagnostics(read.diagnostics);
    return work({ services, signal, config });
  };
  return interruptible(terminal, (stop) =>
    asOnlyWriter(output, ({ lost }) =>
      withModels(files, terminal, (models) => within(models, AbortSignal.any([stop, lost]))),
    ),
  );
}

/** The parts of an order that every such command names alike. */
export function episodeOrder(
  { options, isGiven }: Pick<EpisodeCall, "options" | "isGiven">,
  config: WorkspaceConfig,
  domain: RunnableDomain,
): EpisodeOrder & { readonly corpus: ReturnType<typeof namedFile> | undefined } {
  const { temperature, topP, maxTokens, replies, seed, teacher, output: folder, maxDollars } = options;
  const control = controlFor(options, config, domain);
  const { tools, corpus } = toolsIn(domain, options, config, isGiven);
  return {
    domain,
    choice: withoutErrors(control),
    remarks: control.diagnostics,
    policy: modelOrder(options.policy, options.price),
    teacher: teacher === undefined ? undefined : modelOrder(teacher, options.teacherPrice),
    sampling: {
      ...defaultSampling(domain),
      temperature,
      ...(maxTokens !== undefined && { maxTokens }),
      ...(topP !== undefined && { topP }),
      ...(seed !== undefined && { seed }),
      ...(replies === "json" && { replies }),
    },
    tools,
    corpus: corpus === undefined ? undefined : namedFile(corpus),
    folder,
    maxDollars,
  };
}

/** A file of the command line, by its path. */
export const namedFile = (path: string) => ({ name: path, path });
