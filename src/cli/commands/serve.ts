import { randomBytes } from "node:crypto";
import process from "node:process";
import { Command, Option } from "commander";
import { servedControl } from "../../agents/serve/served-control.ts";
import { openServedRun, SERVED } from "../../agents/serve/run-folder.ts";
import { openServer, type Recording, type ServeServer } from "../../agents/serve/server.ts";
import { openServing } from "../../app/run/serving.ts";
import type { Domain } from "../../domains/domain.ts";
import { defaultDomain, domainNames, domainOf, unknownDomain } from "../../domains/registry.ts";
import { systemClock } from "../../platform/clock.ts";
import { workspaceOf } from "../../platform/hook-workspace.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { serveHttp } from "../../platform/serve-http.ts";
import { serveLines } from "../../platform/serve-lines.ts";
import { serveSocket, SocketTakenError } from "../../platform/serve-socket.ts";
import { need } from "../checked.ts";
import {
  controlFor,
  controlOptions,
  readConfig,
  withoutErrors,
  type ControlOptions,
} from "../control-options.ts";
import { chosenSkills } from "../episode-session.ts";
import { formatDiagnostic } from "../format-diagnostic.ts";
import { helpTextWithKeys } from "../help.ts";
import { startHookServer } from "../hook-resident.ts";
import { cancelOnInterrupt } from "../interrupt.ts";
import { modelOrder, openModelDesk, type ModelDesk } from "../models.ts";
import { FileError } from "../../platform/file-error.ts";
import { amount, wholeNumber } from "../numbers.ts";
import { inSession, type Session } from "../session.ts";
import { CliError, EXIT, writeError, type ExitCode, type SetExit } from "../terminal.ts";

interface Options extends ControlOptions {
  readonly domain: string;
  readonly stdio?: boolean;
  readonly socket?: string;
  /** True without a port. */
  readonly http?: number | true;
  /** From HASP_SERVE_TOKEN: an option could be read by others. */
  readonly token?: string;
  readonly teacher?: string;
  readonly teacherPrice?: string;
  readonly maxDollars?: number;
  readonly output?: string;
  readonly resume?: boolean;
  /** False with --no-skills. */
  readonly skills?: string[] | boolean;
  readonly maxEpisodes: number;
  readonly idleSeconds: number;
  readonly json?: boolean;
  readonly hooks?: boolean;
}

/** A shorter one could be guessed. */
const LEAST_TOKEN = 16;
const HIGHEST_PORT = 65_535;

/** For people. Standard output is the clients': over stdio it carries nothing but replies. */
function tell(text: string): void {
  writeError(`${text}\n`);
}

function refuseMixed({ stdio, socket, http, resume, output, token }: Options): void {
  const ways = [stdio === true, socket !== undefined, http !== undefined].filter(Boolean);
  if (ways.length > 1)
    throw new CliError("It serves one way at a time.", "Choose --stdio, --socket or --http.");
  if (resume === true && output === undefined)
    throw new CliError("--resume needs the run to go on with.", "Name it with -o.");
  if (typeof http === "number" && http > HIGHEST_PORT)
    throw new CliError(
      `There is no port ${http}.`,
      `Ports end at ${HIGHEST_PORT}; 0 takes any that is free.`,
    );
  if (http === undefined || token === undefined || (token.length >= LEAST_TOKEN && !/\s/.test(token))) return;
  throw new CliError(
    `The token in HASP_SERVE_TOKEN is not a word of ${LEAST_TOKEN} characters or more.`,
    "Leave HASP_SERVE_TOKEN out, and one is made.",
  );
}

interface Prepared {
  readonly options: Options;
  readonly session: Session;
  readonly desk: ModelDesk;
  readonly domain: Domain;
  readonly signal: AbortSignal;
}

async function recordingFor(
  { options, session, domain }: Prepared,
  settings: Readonly<Record<string, unknown>>,
): Promise<Recording | undefined> {
  const { output: folder, resume = false } = options;
  if (folder === undefined) return undefined;
  const { files } = session;
  const request = { folder, domain: domain.name, settings, resume };
  const opened = await openServedRun(files, systemClock, request);
  const { known } = need(opened);
  for (const diagnostic of opened.diagnostics) tell(formatDiagnostic(diagnostic));
  return { files, folder, known };
}

/** The server, with what contradicts itself ending the command and the rest told. */
async function openServerFor(prepared: Prepared): Promise<ServeServer> {
  const { options, session, desk, domain } = prepared;
  const { teacher: spec, teacherPrice: price, maxDollars, maxEpisodes, idleSeconds } = options;
  const config = await readConfig(session.files);
  const chosen = controlFor(options, withoutErrors(config), domain);
  const choice = withoutErrors(chosen);
  const remarks = [...config.diagnostics, ...chosen.diagnostics];
  const teacher = spec === undefined ? undefined : modelOrder(spec, price);
  const readSkills = () => chosenSkills(options.skills, session);
  const services = { models: desk.services, host: session.host, readSkills };
  const opened = await openServing({ teacher, maxDollars, choice, remarks }, services);
  const parts = need(opened);
  for (const diagnostic of opened.diagnostics) tell(formatDiagnostic(diagnostic));
  const control = servedControl(choice, domain, parts.library);
  const settings = {
    policy: SERVED,
    teacher: parts.teacher?.id ?? "none",
    setting: choice.setting,
    control,
  };
  return openServer({
    host: session.host,
    ...parts,
    domain,
    control,
    settings,
    recording: await recordingFor(prepared, { ...settings, library: parts.libraryRefs }),
    maxEpisodes,
    idleSeconds,
    onTrouble: (error) => tell(`hasp serve: ${wordsOf(error)}`),
  });
}

/** Where the server is, for a person, or as one line of JSON for the program that started it. */
function announce(
  { json }: Options,
  where: { readonly socket: string } | { readonly url: string; readonly token?: string },
): void {
  const lines = Object.entries(where).map(([what, value]) => `${what.padEnd(6)} ${value}`);
  process.stdout.write(`${json === true ? JSON.stringify(where) : lines.join("\n")}\n`);
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function overSocket(server: ServeServer, path: string, { options, signal }: Prepared): Promise<void> {
  const serving = await serveSocket(server, path, signal).catch((error: unknown) => {
    if (error instanceof SocketTakenError)
      throw new CliError(error.message, "Name another path, or end what stands there.");
    if (error instanceof FileError) throw error;
    const why = `There can be no socket at ${path}: ${wordsOf(error)}.`;
    throw new CliError(why, "Name a path of less than 100 characters, in a folder of yours.");
  });
  announce(options, { socket: path });
  await aborted(signal);
  await Promise.all([server.close(), serving.close()]);
}

async function overHttp(server: ServeServer, { options, signal }: Prepared): Promise<void> {
  const token = options.token ?? randomBytes(32).toString("base64url");
  const port = typeof options.http === "number" ? options.http : 0;
  const serving = await serveHttp(server, { port, token }).catch((error: unknown) => {
    throw new CliError(`Port ${port} cannot be served: ${wordsOf(error)}.`, "Name another one, or none.");
  });
  // One that the person has set is known to them, and need not stand in a log.
  announce(options, { url: serving.url, ...(options.token === undefined && { token }) });
  await aborted(signal);
  await server.close();
  await serving.close();
}

async function overStdio(server: ServeServer, { signal }: Prepared): Promise<void> {
  // Elsewhere a closed output ends the process at once; here open episodes are still to be kept.
  process.stdout.removeAllListeners("error");
  const done = serveLines(server, process.stdin, process.stdout, signal);
  await Promise.race([done, aborted(signal)]);
  await server.close();
  await done;
}

async function serve(prepared: Prepared): Promise<void> {
  const { socket, http } = prepared.options;
  const server = await openServerFor(prepared);
  try {
    if (socket !== undefined) await overSocket(server, socket, prepared);
    else if (http !== undefined) await overHttp(server, prepared);
    else await overStdio(server, prepared);
  } finally {
    await server.close();
  }
}

async function runServe(options: Options): Promise<ExitCode> {
  refuseMixed(options);
  if (options.hooks === true) return runHookServer(options);
  const domain = domainOf(options.domain);
  if (domain === undefined) {
    const { message, next } = unknownDomain(options.domain);
    throw new CliError(message, next);
  }
  const interrupt = cancelOnInterrupt();
  return inSession(async (session) => {
    const desk = openModelDesk({ files: session.files, onTrouble: tell });
    try {
      const work = (signal: AbortSignal): Promise<void> => serve({ options, session, desk, domain, signal });
      const { signal } = interrupt;
      await (options.output === undefined
        ? work(signal)
        : asOnlyWriter(options.output, ({ lost }) => work(AbortSignal.any([signal, lost]))));
      return EXIT.fine;
    } finally {
      desk.close();
    }
  }).finally(() => interrupt.release());
}

/** Stays until it is interrupted; what `hasp hook` asks is answered with the skills in memory. */
async function runHookServer(options: Options): Promise<ExitCode> {
  const interrupt = cancelOnInterrupt();
  const root = workspaceOf(process.cwd());
  try {
    const serving = await startHookServer(root, __filename, tell).catch((error: unknown) => {
      if (!(error instanceof SocketTakenError)) throw error;
      throw new CliError(error.message, "One process is enough for a workspace.");
    });
    announce(options, { socket: serving.path });
    await aborted(interrupt.signal);
    await serving.close();
    return EXIT.fine;
  } finally {
    interrupt.release();
  }
}

function withTransports(command: Command): Command {
  return command
    .option("--stdio", "requests on standard input, replies on standard output (default)")
    .option("--socket <path>", "a local socket that only you can open")
    .addOption(
      new Option(
        "--http [port]",
        "HTTP on 127.0.0.1 (default: any free port); clients show the token in HASP_SERVE_TOKEN (default: one is made and printed)",
      ).argParser(wholeNumber(0)),
    )
    .addOption(
      new Option("--max-episodes <n>", "episodes open at once").argParser(wholeNumber(1)).default(1000),
    )
    .addOption(
      new Option("--idle-seconds <n>", "an episode ends after so long without a request")
        .argParser(amount(0.1))
        .default(300),
    )
    .option("--json", "print where it serves as JSON")
    .option(
      "--hooks",
      "answer `hasp hook` of this workspace, which then loads nothing itself (docs/hooks.md)",
    );
}

/** `hasp serve [--stdio | --socket <path> | --http [port]] [-o <run>]`. */
export function serveCommand(setExit: SetExit): Command {
  const command = new Command("serve")
    .description("Let another agent, in any language, ask the skills what becomes of its steps.")
    .addOption(
      new Option("--domain <name>", "the kind of task")
        .choices([...domainNames()])
        .default(defaultDomain().name),
    )
    .option("--skills <dir...>", "skill folders or folders above them (default: the libraries of hasp.yaml)")
    .option("--no-skills", "no skills at all")
    .option("--teacher <spec>", "the model that skills and harness may ask (default: none)")
    .option("--teacher-price <in/out>", "dollars for a million tokens of the teacher, e.g. 2.50/10")
    .addOption(new Option("--max-dollars <n>", "what the teacher may cost").argParser(amount(0)))
    .option("-o, --output <run>", "record each episode in this run folder (default: nothing is written)")
    .option("--resume", "add to a run that was served before");
  for (const option of controlOptions()) command.addOption(option);
  return withTransports(command)
    .addHelpText(
      "after",
      helpTextWithKeys(
        "hasp serve -o .hasp/runs/agent",
        "HASP_SERVE_TOKEN=$(openssl rand -hex 32) hasp serve --http 8765",
      ),
    )
    .action(async (options: Options) => {
      const { HASP_SERVE_TOKEN: token } = process.env;
      setExit(await runServe({ ...options, ...(token !== undefined && { token }) }));
    });
}
