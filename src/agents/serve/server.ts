import { namedFinal } from "../../model/action-types.ts";
import type { SkillRef } from "../../model/episode.ts";
import { sampleId } from "../../model/sample.ts";
import type { RecordedSettings } from "../../model/recorded-settings.ts";
import { startLive } from "../../trace/live.ts";
import type { MessageStore } from "../../trace/message-store.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import { endedError, openServed, type ServedEpisode, type ServedTask } from "./episode.ts";
import { formOf } from "./form.ts";
import { watchIdle, type IdleWatch } from "./idle.ts";
import { errorReply, parseRequest, PROTOCOL, resultReply, ServeError } from "./protocol.ts";
import type { Method, Params, Request } from "./protocol.ts";
import type { Ended } from "./results.ts";
import type { OpenedJudge } from "../../scoring/judge.ts";

/** Where served episodes are recorded. */
export interface Recording {
  readonly files: TraceFiles;
  /** The run folder; its `run.json` stands already. */
  readonly folder: string;
  readonly messages: MessageStore;
  /** Ids that are in it. */
  readonly known: ReadonlySet<string>;
  /** Their questions and samples, as `sampleId` writes them. */
  readonly knownSamples: ReadonlySet<string>;
}

export interface ServeTask extends Pick<
  ServedTask,
  "host" | "library" | "domain" | "control" | "teacher" | "redact"
> {
  /** Closed with the server. */
  readonly judge: OpenedJudge;
  /** As the episodes record them. */
  readonly libraryRefs: readonly SkillRef[];
  readonly settings: RecordedSettings;
  /** Undefined: nothing is written. */
  readonly recording: Recording | undefined;
  /** Episodes open at once. */
  readonly maxEpisodes: number;
  /** Seconds after the latest request after which an episode ends. */
  readonly idleSeconds: number;
  /** Hears of what no client can fix. */
  readonly onTrouble: (error: unknown) => void;
}

/** One connection. */
export interface ServeClient {
  /** The reply to one request, as one line without its end. Never rejects. */
  answer(request: Uint8Array): Promise<string>;
  /** The client has gone: what it left open ends as halted. */
  leave(): Promise<void>;
}

export interface ServeServer {
  connect(): ServeClient;
  /** Ends what is open, and keeps it as halted. Later requests are refused. */
  close(): Promise<void>;
}

interface Open {
  readonly client: object;
  /** Rejects where the episode could not be opened. */
  readonly episode: Promise<ServedEpisode>;
  readonly idle: IdleWatch;
}

/** Ends that are remembered, so that a late request hears why. */
const REMEMBERED = 1000;
/** The longest delay that a timer takes. */
const LONGEST_MS = 2 ** 31 - 1;

interface Serving {
  readonly task: ServeTask;
  readonly open: Map<string, Open>;
  readonly ended: Map<string, Ended>;
  /** Ids that have been in the run folder since the server began. */
  readonly recorded: Set<string>;
  /** Questions and samples of the episodes that are open, or were recorded since the server began. */
  readonly samples: Set<string>;
  readonly stopping: AbortController;
  served: number;
}

function remember({ ended }: Serving, id: string, end: Ended): void {
  ended.set(id, end);
  const [oldest] = ended.keys();
  if (ended.size > REMEMBERED && oldest !== undefined) ended.delete(oldest);
}

function isTaken({ task, open, recorded }: Serving, id: string): boolean {
  return open.has(id) || recorded.has(id) || task.recording?.known.has(id) === true;
}

function freeId(serving: Serving): string {
  for (;;) {
    serving.served += 1;
    const id = `served-${serving.served}`;
    if (!isTaken(serving, id)) return id;
  }
}

function idFor(serving: Serving, wanted: string | undefined): string {
  if (wanted === undefined) return freeId(serving);
  if (!isTaken(serving, wanted)) return wanted;
  const next = "Give another episode_id, or none.";
  throw new ServeError("episode_exists", `There is an episode ${JSON.stringify(wanted)} already.`, next);
}

/** The sample that an episode is to be. Throws where the run has it, or another episode that is open is it. */
function sampleFor({ task, samples }: Serving, params: Params<"open">, id: string) {
  const { question_id: questionId = id, sample = 1 } = params;
  const key = sampleId(questionId, sample);
  if (!samples.has(key) && task.recording?.knownSamples.has(key) !== true) return { questionId, sample, key };
  const message = `There is an episode of sample ${sample} of ${JSON.stringify(questionId)} already.`;
  throw new ServeError("episode_exists", message, "Give another sample.");
}

function actionTypesFor({ task }: Serving, wanted: readonly string[] | undefined): string[] {
  const { actionTypes, finalAction } = task.domain;
  const types = [...new Set(wanted ?? actionTypes)];
  if (types.includes(finalAction)) return types;
  throw new ServeError(
    "bad_params",
    `action_types lacks ${finalAction}, by which an episode is answered.`,
    `Name the actions of your agent as the domain does: ${actionTypes.join(", ")}.`,
  );
}

function refuseWhereFull({ task, open, stopping }: Serving): void {
  if (stopping.signal.aborted)
    throw new ServeError("stopping", "The server is stopping.", "Start another one.");
  if (open.size < task.maxEpisodes) return;
  const message = `${open.size} episodes are open, and no more may be.`;
  throw new ServeError("too_many_episodes", message, "Close those that are done, or raise --max-episodes.");
}

function taskFor(
  serving: Serving,
  params: Params<"open">,
): Omit<ServedTask, "live" | "reading" | "onEnd" | "question"> {
  const { domain, judge, control, teacher, host, library } = serving.task;
  const { search_returns_text: searchReturnsText = false, max_steps: maxSteps = control.maxSteps } = params;
  const { cwd, project } = params;
  const facts = {
    domain: domain.name,
    actionTypes: actionTypesFor(serving, params.action_types),
    searchReturnsText,
    maxSteps,
    ...namedFinal(domain),
    ...(searchReturnsText && { readBecomesSearch: true }),
    ...(cwd !== undefined && { cwd }),
    ...(project !== undefined && { project }),
  };
  return {
    domain,
    judge,
    host,
    library,
    facts,
    form: formOf(domain, params, facts.actionTypes),
    control: { ...control, maxSteps },
    redact: serving.task.redact,
    signal: serving.stopping.signal,
    ...(teacher !== undefined && { teacher }),
  };
}

async function startEpisode(
  serving: Serving,
  id: string,
  { questionId, sample, key }: ReturnType<typeof sampleFor>,
  shared: ReturnType<typeof taskFor>,
  { question, gold }: Params<"open">,
): Promise<ServedEpisode> {
  const { recording, libraryRefs, settings, redact } = serving.task;
  const accepted = gold !== undefined && { gold: typeof gold === "string" ? [gold] : gold };
  const live =
    recording &&
    startLive(recording.files, recording.folder, {
      id,
      questionId,
      sample,
      question: redact(question),
      source: "hasp",
      facts: shared.facts,
      settings: { ...settings },
      library: [...libraryRefs],
      ...accepted,
    });
  return openServed({
    ...shared,
    question: { id: questionId, question, ...accepted },
    live,
    reading: recording && {
      ...recording.messages.conversation(),
      settled: () => recording.messages.settled(),
    },
    onEnd(ended) {
      serving.open.get(id)?.idle.close();
      serving.open.delete(id);
      if (recording === undefined) serving.samples.delete(key);
      remember(serving, id, ended);
    },
  });
}

async function openEpisode(serving: Serving, client: object, params: Params<"open">) {
  refuseWhereFull(serving);
  const { question_id: asked, sample: nth = 1 } = params;
  const id = idFor(serving, params.episode_id ?? (asked && sampleId(asked, nth)));
  const sample = sampleFor(serving, params, id);
  const shared = taskFor(serving, params);
  serving.ended.delete(id);
  if (serving.task.recording !== undefined) serving.recorded.add(id);
  serving.samples.add(sample.key);
  const episode = startEpisode(serving, id, sample, shared, params);
  const idle = watchIdle(Math.min(serving.task.idleSeconds * 1000, LONGEST_MS), () => {
    stopEpisode(serving, episode, "idle").catch(serving.task.onTrouble);
  });
  // At once, so that a client may send its first step before it has read the reply.
  serving.open.set(id, { client, episode, idle });
  try {
    const { summaries, first } = await idle.during(() => episode);
    return { episode: id, sample: sample.sample, summaries, ...first };
  } catch (error) {
    idle.close();
    serving.open.delete(id);
    if (!serving.ended.has(id)) {
      serving.recorded.delete(id);
      serving.samples.delete(sample.key);
    }
    throw error;
  }
}

async function stopEpisode(
  { task }: Serving,
  opening: Promise<ServedEpisode>,
  reason: string,
): Promise<void> {
  // One that could not be opened has told its own client.
  const episode = await opening.catch(() => undefined);
  await episode?.stop(reason).catch(task.onTrouble);
}

function withEpisode<T>(
  serving: Serving,
  id: string,
  work: (episode: ServedEpisode) => Promise<T>,
): Promise<T> {
  const open = serving.open.get(id);
  if (open !== undefined) return open.idle.during(async () => work(await open.episode));
  const ended = serving.ended.get(id);
  if (ended !== undefined) throw endedError(ended);
  const message = `No episode ${JSON.stringify(id.slice(0, 200))} is open.`;
  throw new ServeError("unknown_episode", message, "Use the `episode` that open gave back.");
}

/** An episode that has ended may be closed once more: an agent need not know how far its answer went. */
async function closeEpisode(serving: Serving, params: Params<"close">) {
  const id = params.episode;
  const before = serving.ended.get(id);
  const isSame = params.answer === undefined || params.answer === before?.answer;
  const ended =
    before !== undefined && isSame
      ? before
      : await withEpisode(serving, id, (episode) => episode.close(params));
  const { steps, outcome, stopReason, answer } = ended;
  const given = answer !== undefined && { answer };
  return { episode_id: id, steps, stop_reason: stopReason, outcome, ...given };
}

function libraryOf({ domain, library, libraryRefs }: ServeTask) {
  const refs = new Map(libraryRefs.map((ref) => [ref.skillId, ref]));
  return {
    domain: domain.name,
    action_types: domain.actionTypes,
    skills: library.map(({ skill: { skillId, version }, program }) => ({
      skill_id: skillId,
      version,
      hash: refs.get(skillId)?.hash,
      program: program !== undefined,
    })),
  };
}

type Handlers = { readonly [M in Method]: (params: Params<M>, client: object) => unknown };

function handlersOf(serving: Serving): Handlers {
  return {
    ping: () => ({ protocol: PROTOCOL, episodes: serving.open.size }),
    library: () => libraryOf(serving.task),
    open: (params, client) => openEpisode(serving, client, params),
    step: (params) => withEpisode(serving, params.episode, (episode) => episode.step(params)),
    observe: (params) => withEpisode(serving, params.episode, (episode) => episode.observe(params)),
    close: (params) => closeEpisode(serving, params),
  };
}

async function handle(handlers: Handlers, { method, params }: Request, client: object): Promise<unknown> {
  // Each method's params fit its handler: protocol.ts has parsed them by the method's own schema.
  return (handlers[method] as (params: unknown, client: object) => unknown)(params, client);
}

function asServeError(error: unknown, onTrouble: ServeTask["onTrouble"]): ServeError {
  if (error instanceof ServeError) return error;
  onTrouble(error);
  const message = error instanceof Error ? error.message : String(error);
  return new ServeError("internal", `The server failed: ${message}`, "Look at what hasp serve prints.");
}

/** Serves episodes to any number of clients, over whatever carries their requests (docs/serve.md). */
export function openServer(task: ServeTask): ServeServer {
  const serving: Serving = {
    task,
    open: new Map(),
    ended: new Map(),
    recorded: new Set(),
    samples: new Set(),
    stopping: new AbortController(),
    served: 0,
  };
  const handlers = handlersOf(serving);
  const stopAll = async (opens: readonly Open[], reason: string): Promise<void> => {
    await Promise.all(opens.map(({ episode }) => stopEpisode(serving, episode, reason)));
  };
  return {
    connect() {
      const client = {};
      return {
        async answer(bytes) {
          const parsed = parseRequest(bytes);
          if ("error" in parsed) return errorReply(parsed.id, parsed.error);
          try {
            return resultReply(parsed.id, await handle(handlers, parsed.request, client));
          } catch (error) {
            return errorReply(parsed.id, asServeError(error, task.onTrouble));
          }
        },
        leave: () =>
          stopAll(
            [...serving.open.values()].filter((one) => one.client === client),
            "client_gone",
          ),
      };
    },
    async close() {
      const opens = [...serving.open.values()];
      serving.stopping.abort(new Error("The server is stopping"));
      await stopAll(opens, "server_stopped");
      await task.judge.close();
    },
  };
}
