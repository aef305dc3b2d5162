import { randomBytes } from "node:crypto";
import { servedControl } from "../../agents/serve/served-control.ts";
import { openServedRun, SERVED } from "../../agents/serve/run-folder.ts";
import { openServer, type Recording, type ServeServer } from "../../agents/serve/server.ts";
import type { ModelServices } from "../../app/run/models.ts";
import { openRecording } from "../../app/run/recording.ts";
import { openServing, type Serving } from "../../app/run/serving.ts";
import type { Domain } from "../../domains/domain.ts";
import { defaultDomain, domainNames, domainOf, unknownDomain } from "../../domains/registry.ts";
import { systemClock } from "../../platform/clock.ts";
import { workspaceOf } from "../../platform/hook-workspace.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { sha256 } from "../../platform/sha256.ts";
import { currentFolder, variables } from "../../platform/surroundings.ts";
import { serveHttp } from "../../platform/serve-http.ts";
import { serveLines } from "../../platform/serve-lines.ts";
import { serveSocket, SocketTakenError } from "../../platform/serve-socket.ts";
import { need } from "../checked.ts";
import { CONTROL, controlFor, readConfig, withoutErrors } from "../control-options.ts";
import { defineCommand } from "../define-command.ts";
import { SKILLS_AND_CONTROL } from "../episode-options.ts";
import { chosenSkills } from "../episode-session.ts";
import { formatDiagnostic } from "../format-diagnostic.ts";
import { KEYS } from "../help.ts";
import { startHookServer } from "../hook-resident.ts";
import { interruptible } from "../interrupt.ts";
import { modelOrder, withModels } from "../models.ts";
import { FileError } from "../../platform/file-error.ts";
import { decimal, flag, oneOf, text, whole, withDefault, type OptionsOf, type Typed } from "../options.ts";
import type { Session } from "../session.ts";
import { CliError, EXIT, writeError } from "../terminal.ts";

const OPTIONS = {
  domain: withDefault(oneOf("--domain <name>", "the kind of task", domainNames()), defaultDomain().name),
  skills: SKILLS_AND_CONTROL.skills,
  noSkills: SKILLS_AND_CONTROL.noSkills,
  triggers: SKILLS_AND_CONTROL.triggers,
  teacher: text("--teacher <spec>", "the model that skills and harness may ask (default: none)"),
  teacherPrice: text("--teacher-price <in/out>", "dollars for a million tokens of the teacher, e.g. 2.50/10"),
  maxDollars: decimal("--max-dollars <n>", "what the teacher may cost"),
  output: text("-o, --output <run>", "record each episode in this run folder (default: nothing is written)"),
  resume: flag("--resume", "add to a run that was served before"),
  ...CONTROL,
  stdio: flag("--stdio", "requests on standard input, replies on standard output (default)"),
  socket: text("--socket <path>", "a local socket that only you can open"),
  /** True without a port. */
  http: whole(
    "--http [port]",
    "HTTP on 127.0.0.1 (default: any free port); clients show the token in HASP_SERVE_TOKEN (default: one is made and printed)",
  ) as Typed<number | true | undefined>,
  maxEpisodes: withDefault(whole("--max-episodes <n>", "episodes open at once", 1), 1000),
  idleSeconds: withDefault(
    decimal("--idle-seconds <n>", "an episode ends after so long without a request", 0.1),
    300,
  ),
  json: flag("--json", "print where it serves as JSON"),
  hooks: flag(
    "--hooks",
    "answer `hasp hook` of this workspace, which then loads nothing itself (docs/hooks.md)",
  ),
};

interface Options extends OptionsOf<typeof OPTIONS> {
  /** From HASP_SERVE_TOKEN: an option could be read by others. */
  readonly token: string | undefined;
}

/** A shorter one could be guessed. */
const LEAST_TOKEN = 16;
const HIGHEST_PORT = 65_535;

/** For people. Standard output is the clients': over stdio it carries nothing but replies. */
function tell({ streams }: Pick<Session, "streams">, text: string): void {
  writeError(streams, `${text}\n`);
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
  readonly models: ModelServices;
  readonly domain: Domain;
  readonly signal: AbortSignal;
}

async function recordingFor(
  { options, session, models, domain }: Prepared,
  kept: Serving["kept"],
  settings: Readonly<Record<string, unknown>>,
): Promise<Recording | undefined> {
  const { output: folder, resume = false } = options;
  if (folder === undefined) return undefined;
  const { files } = session;
  const request = { folder, domain: domain.name, settings, resume };
  const opened = await openServedRun(files, systemClock, request);
  const { known, knownSamples } = need(opened);
  for (const diagnostic of opened.diagnostics) tell(session, formatDiagnostic(diagnostic));
  const { redactor } = models;
  const messages = await openRecording({ files, sha256, redactor }, folder, { kept });
  return { files, folder, messages, known, knownSamples };
}

/** The server, with what contradicts itself ending the command and the rest told. */
async function openServerFor(prepared: Prepared): Promise<ServeServer> {
  const { options, session, models, domain } = prepared;
  const { teacher: spec, teacherPrice: price, maxDollars, maxEpisodes, idleSeconds } = options;
  const config = await readConfig(session.files);
  const chosen = controlFor(options, withoutErrors(config), domain);
  const choice = withoutErrors(chosen);
  const remarks = [...config.diagnostics, ...chosen.diagnostics];
  const teacher = spec === undefined ? undefined : modelOrder(spec, price);
  const readSkills = () => chosenSkills(options.skills, session);
  const services = { models, sha256, host: session.host, readSkills };
  const opened = await openServing({ teacher, maxDollars, choice, remarks }, services);
  const { triggers, ...parts } = need(opened);
  for (const diagnostic of opened.diagnostics) tell(session, formatDiagnostic(diagnostic));
  const control = servedControl(choice, domain, parts.library);
  const settings = {
    policy: SERVED,
    teacher: parts.teacher?.id ?? "none",
    setting: choice.setting,
    control,
    ...(triggers !== undefined && { triggers }),
  };
  const recording = await recordingFor(prepared, parts.kept, { ...settings, library: parts.libraryRefs });
  return openServer({
    host: session.host,
    ...parts,
    domain,
    control,
    settings,
    redact: (text) => models.redactor.redact(text),
    recording,
    judge: await domain.judge.open({ concurrency: maxEpisodes, openContainment: session.openContainment }),
    maxEpisodes,
    idleSeconds,
    onTrouble: (error) => tell(session, `hasp serve: ${wordsOf(error)}`),
  });
}

/** Where the server is, for a person, or as one line of JSON for the program that started it. */
function announce(
  { json }: Options,
  { streams }: Session,
  where: { readonly socket: string } | { readonly url: string; readonly token?: string },
): void {
  const lines = Object.entries(where).map(([what, value]) => `${what.padEnd(6)} ${value}`);
  streams.stdout.write(`${json === true ? JSON.stringify(where) : lines.join("\n")}\n`);
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function overSocket(
  server: ServeServer,
  path: string,
  { options, session, signal }: Prepared,
): Promise<void> {
  const serving = await serveSocket(server, path, signal).catch((error: unknown) => {
    if (error instanceof SocketTakenError)
      throw new CliError(error.message, "Name another path, or end what stands there.");
    if (error instanceof FileError) throw error;
    const why = `There can be no socket at ${path}: ${wordsOf(error)}.`;
    throw new CliError(why, "Name a path of less than 100 characters, in a folder of yours.");
  });
  announce(options, session, { socket: path });
  await aborted(signal);
  await Promise.all([server.close(), serving.close()]);
}

async function overHttp(server: ServeServer, { options, session, signal }: Prepared): Promise<void> {
  const token = options.token ?? randomBytes(32).toString("base64url");
  const port = typeof options.http === "number" ? options.http : 0;
  const serving = await serveHttp(server, { port, token }).catch((error: unknown) => {
    throw new CliError(`Port ${port} cannot be served: ${wordsOf(error)}.`, "Name another one, or none.");
  });
  // One that the person has set is known to them, and need not stand in a log.
  announce(options, session, { url: serving.url, ...(options.token === undefined && { token }) });
  await aborted(signal);
  await server.close();
  await serving.close();
}

async function overStdio(server: ServeServer, { session: { streams }, signal }: Prepared): Promise<void> {
  // Elsewhere a closed output ends the process at once; here open episodes are still to be kept.
  streams.stdout.removeAllListeners("error");
  const done = serveLines(server, streams.stdin, streams.stdout, signal);
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

function serveEpisodes(options: Options, session: Session, stop: AbortSignal): Promise<void> {
  const domain = domainOf(options.domain);
  if (domain === undefined) {
    const { message, next } = unknownDomain(options.domain);
    throw new CliError(message, next);
  }
  return withModels(session.files, { line: (text = "") => tell(session, text) }, (models) => {
    const work = (signal: AbortSignal): Promise<void> => serve({ options, session, models, domain, signal });
    if (options.output === undefined) return work(stop);
    return asOnlyWriter(options.output, ({ lost }) => work(AbortSignal.any([stop, lost])));
  });
}

/** What `hasp hook` asks is answered with the skills in memory. */
async function serveHooks(options: Options, session: Session, signal: AbortSignal): Promise<void> {
  const serving = await startHookServer(workspaceOf(currentFolder()), __filename, (text) =>
    tell(session, text),
  ).catch((error: unknown) => {
    if (!(error instanceof SocketTakenError)) throw error;
    throw new CliError(error.message, "One process is enough for a workspace.");
  });
  announce(options, session, { socket: serving.path });
  await aborted(signal);
  await serving.close();
}

/** `hasp serve [--stdio | --socket <path> | --http [port]] [-o <run>]`. */
export const serveCommand = defineCommand({
  name: "serve",
  about: "Let another agent, in any language, ask the skills what becomes of its steps.",
  options: OPTIONS,
  section: KEYS,
  examples: [
    "hasp serve -o .hasp/runs/agent",
    "HASP_SERVE_TOKEN=$(openssl rand -hex 32) hasp serve --http 8765",
  ],
  run: ({ options: given, terminal, session }) =>
    interruptible(terminal, async (signal) => {
      const options = { ...given, token: variables()["HASP_SERVE_TOKEN"] };
      refuseMixed(options);
      if (options.hooks === true) await serveHooks(options, session, signal);
      else await serveEpisodes(options, session, signal);
      return EXIT.fine;
    }),
});
