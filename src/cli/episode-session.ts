import process from "node:process";
import type { EpisodeOrder, RunServices } from "../app/run/parts.ts";
import type { WorkspaceConfig } from "../app/run/settings.ts";
import type { RunnableDomain } from "../domains/domain.ts";
import { DEFAULT_SAMPLING } from "../model/sampling.ts";
import { systemClock } from "../platform/clock.ts";
import { retrieverKeys } from "../platform/retriever-keys.ts";
import { asOnlyWriter } from "../platform/run-lock.ts";
import { openWebClient } from "../platform/web-client.ts";
import { controlFor, readConfig, withoutErrors, type ControlOptions } from "./control-options.ts";
import { interruptible } from "./interrupt.ts";
import { modelOrder, openModelDesk } from "./models.ts";
import { toolsOf, type IsGiven, type RetrieverOptions } from "./retriever-options.ts";
import { inSession, readSkills, type Session } from "./session.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** Options of every command that makes episodes. */
export interface EpisodeOptions extends ControlOptions, RetrieverOptions {
  readonly policy: string;
  readonly teacher?: string;
  readonly price?: string;
  readonly teacherPrice?: string;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly seed?: number;
  readonly output: string;
  /** False with --no-skills. */
  readonly skills?: string[] | boolean;
  readonly maxDollars?: number;
  readonly json?: boolean;
}

/** The skills that `--skills` names, or those of `hasp.yaml`; none with `--no-skills`, which is `false`. */
export async function chosenSkills(skills: readonly string[] | boolean | undefined, session: Session) {
  return skills === false ? [] : readSkills(typeof skills === "object" ? skills : undefined, session);
}

/** An open session of a command that makes episodes. */
export interface EpisodeSession {
  readonly services: RunServices;
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C, and where the lock of the folder is lost. */
  readonly signal: AbortSignal;
  readonly config: WorkspaceConfig;
}

/** Runs a command as the only writer of its folder, with services that are closed whatever happens. */
export async function inEpisodeSession<T>(
  { output, json, skills }: EpisodeOptions,
  work: (session: EpisodeSession) => Promise<T>,
): Promise<T> {
  const terminal = openTerminal(json === true);
  const within = async (session: Session, signal: AbortSignal): Promise<T> => {
    const { files, compiler, host } = session;
    const desk = openModelDesk({ files, onTrouble: (text) => terminal.line(text) });
    const { services: models } = desk;
    const { timing, redactor } = models;
    const services: RunServices = {
      files,
      compiler,
      startHost: () => host,
      clock: systemClock,
      models,
      environment: { openClient: openWebClient, keys: retrieverKeys(process.env), timing, redactor },
      readSkills: () => chosenSkills(skills, session),
    };
    try {
      const read = await readConfig(files);
      const config = withoutErrors(read);
      terminal.diagnostics(read.diagnostics);
      return await work({ services, terminal, signal, config });
    } finally {
      desk.close();
    }
  };
  return interruptible(terminal, (stop) =>
    asOnlyWriter(output, ({ lost }) =>
      inSession((session) => within(session, AbortSignal.any([stop, lost]))),
    ),
  );
}

/** The parts of an order that every such command names alike, and the corpus. */
export function episodeOrder(
  options: EpisodeOptions,
  config: WorkspaceConfig,
  domain: RunnableDomain,
  isGiven: IsGiven,
): { readonly order: EpisodeOrder; readonly corpus: string | undefined } {
  const { temperature, maxTokens, seed, teacher, output: folder, maxDollars } = options;
  const control = controlFor(options, config, domain);
  const { tools, corpus } = toolsOf(options, config, isGiven);
  const order = {
    domain,
    choice: withoutErrors(control),
    remarks: control.diagnostics,
    policy: modelOrder(options.policy, options.price),
    teacher: teacher === undefined ? undefined : modelOrder(teacher, options.teacherPrice),
    sampling: { ...DEFAULT_SAMPLING, temperature, maxTokens, ...(seed !== undefined && { seed }) },
    tools,
    folder,
    maxDollars,
  };
  return { order, corpus };
}

/** A file of the command line, by its path. */
export const namedFile = (path: string) => ({ name: path, path });
