import { need, refuse } from "../../app/refusal.ts";
import { hasEnded, type JobBackend, type JobRecord, type JobSpec } from "../../model/job.ts";
import type { NamedTarget } from "../../model/target.ts";
import { followJob } from "../follow.ts";
import { jobPaths, readJob, readOwnJob } from "../job-folder.ts";
import { graceMs } from "../run-job.ts";
import { fetchOutputs } from "./fetch-outputs.ts";
import { keepStatus, knownStatus } from "./known-status.ts";
import {
  keepPieces,
  lookAt,
  metricsHere,
  partsOf,
  type Kept,
  type Look,
  type MirroredJob,
} from "./mirror.ts";
import { abortable, LinkError, ReplyError, type RemoteLink, type RemotePorts } from "./ports.ts";
import { readRecord } from "./record.ts";
import { wordsOf, withTarget } from "./refusals.ts";
import { submitOnce } from "./submit.ts";
import { recordFrom } from "./target-status.ts";

/** Seconds that a request waits for something new. */
const WAIT_SECONDS = 20;
/** Looks that bring what all copies may hold, at a megabyte each. */
const MOST_ROUNDS = 2_000;
/** Looks that bring less, although there is more: a copy may be begun anew meanwhile. */
const MOST_IDLE_ROUNDS = 20;
const LEAST_GROWTH = 1_000_000;
/** Milliseconds between two tries over a link that is down: the least, and the most. */
const RETRY_MS = [2_000, 60_000] as const;
/** Milliseconds between two looks at a job that was asked to end. */
const CANCEL_POLL_MS = 1_000;
/** Milliseconds beyond the grace period after which a job that does not end is killed. */
const MARGIN_MS = 30_000;

const PREPARED: JobRecord = { status: "prepared" };

class RemoteBackend implements JobBackend {
  readonly name: string;
  private readonly ports: RemotePorts;
  private readonly named: NamedTarget;
  private readonly link: RemoteLink;

  constructor(ports: RemotePorts, named: NamedTarget) {
    this.ports = ports;
    this.named = named;
    this.name = named.name;
    this.link = ports.link(named.target);
  }

  private async spec(folder: string): Promise<JobSpec> {
    return need(await readJob(this.ports.files, folder));
  }

  /** The job, to do something with it. */
  private async ownSpec(folder: string): Promise<JobSpec> {
    const { files, own } = this.ports;
    return need(await readOwnJob(files, own, folder)).spec;
  }

  private async job(folder: string): Promise<MirroredJob | undefined> {
    return this.sent(folder, await this.spec(folder));
  }

  private async sent(folder: string, spec: JobSpec): Promise<MirroredJob | undefined> {
    const record = await readRecord(this.ports.files, folder);
    return record === undefined || record.number === 0 ? undefined : { folder, spec, record };
  }

  /** Looks at the job until all that it has written is here. Rejects where the target always has more, and never sends it. */
  private async look(
    job: MirroredJob,
    options: { readonly wait: number; readonly key?: string | undefined; readonly signal?: AbortSignal },
  ): Promise<Look & { readonly record: JobRecord }> {
    const { ports } = this;
    const link = abortable(this.link, options.signal);
    let [idle, wait] = [0, options.wait];
    for (let round = 1; round <= MOST_ROUNDS && idle < MOST_IDLE_ROUNDS; round++) {
      const look = await lookAt(ports, link, job, { ...options, wait });
      const { record, isWhole, grown } = await this.keep(job, look);
      if (isWhole && !look.isMore) return { ...look, record };
      if (grown < LEAST_GROWTH) idle++;
      wait = 0;
    }
    throw new ReplyError("rounds", "it always has more of the job's files than it sends");
  }

  /** Adds what a look brought, and answers how far the job is. Another window, or a command beside it, may do so at the same time. */
  private async keep(
    { folder, spec, record }: MirroredJob,
    look: Look,
  ): Promise<Kept & { readonly record: JobRecord }> {
    const { ports } = this;
    const { files } = ports;
    return ports.exclusive(folder, async () => {
      const kept = await keepPieces(ports, look);
      const found = await recordFrom(files, { folder, spec, ...record }, look.seen);
      const { problem } = look.seen;
      const isKnown = problem === null || problem === undefined || hasEnded(found.status);
      const unreachable = `The scheduler does not answer: ${problem?.message ?? ""}.`;
      const known = isKnown ? found : { ...(await knownStatus(files, folder)), unreachable };
      await keepStatus(files, folder, known);
      return { ...kept, record: known };
    });
  }

  async submit(folder: string, signal?: AbortSignal): Promise<void> {
    const { ports, named } = this;
    const link = abortable(this.link, signal);
    const spec = await this.ownSpec(folder);
    await withTarget(named, async () =>
      submitOnce({ ports, link, named, folder, spec }, async (record) => {
        const { record: found, seen } = await this.look({ folder, spec, record }, { wait: 0 });
        const isKnown = record.job !== undefined || seen.submission !== null;
        return { found, isKnown };
      }),
    );
  }

  async status(folder: string): Promise<JobRecord> {
    const job = await this.job(folder);
    if (job === undefined) return PREPARED;
    return withTarget(this.named, async () => (await this.look(job, { wait: 0 })).record);
  }

  async *follow(folder: string, signal: AbortSignal): ReturnType<JobBackend["follow"]> {
    const { files, clock } = this.ports;
    const spec = await this.spec(folder);
    const { target } = this.named;
    let key: string | undefined;
    let failures = 0;
    const status = async (): Promise<JobRecord> => {
      const job = await this.job(folder);
      if (job === undefined) return PREPARED;
      try {
        const look = await this.look(job, { wait: WAIT_SECONDS, key, signal });
        [key, failures] = [look.key, 0];
        return look.record;
      } catch (error) {
        if (signal.aborted) return PREPARED;
        const words = wordsOf(error, this.named);
        if (words === undefined) throw error;
        if (!(error instanceof LinkError) || !error.isPassing) refuse(words.code, words.message, words.next);
        key = undefined;
        await clock.sleep(Math.min(RETRY_MS[1], RETRY_MS[0] * 2 ** failures++), signal);
        return { ...(await knownStatus(files, folder)), unreachable: words.message };
      }
    };
    const places = { parts: partsOf(folder, spec, target), metrics: metricsHere(folder, spec) };
    yield* followJob({ files, clock, status, ...places }, folder, spec, signal);
  }

  async cancel(folder: string): Promise<void> {
    const job = await this.sent(folder, await this.ownSpec(folder));
    if (job === undefined) return;
    await withTarget(this.named, async () => this.cancelled(job));
  }

  private async cancelled(job: MirroredJob): Promise<void> {
    const { ports, link, named } = this;
    const { spec, record } = job;
    const ask = async (hard: boolean): Promise<void> => {
      const { root, number } = record;
      const request = { op: "cancel", root, kind: named.target.kind, job: spec.id, number, hard };
      for await (const _ of link.call(request));
    };
    const patience = graceMs(spec) + MARGIN_MS;
    await ask(false);
    for (let waited = 0; ; waited += CANCEL_POLL_MS) {
      const { status } = (await this.look(job, { wait: 0 })).record;
      if (hasEnded(status) || status === "prepared" || status === "lost") return;
      if (waited > 2 * patience)
        refuse(
          "HASP794",
          "The job was asked to end, and does not.",
          "End it on the target by hand.",
          job.folder,
        );
      if (waited > patience && waited % MARGIN_MS < CANCEL_POLL_MS) await ask(true);
      await ports.clock.sleep(CANCEL_POLL_MS);
    }
  }

  async fetch(folder: string, signal?: AbortSignal): Promise<void> {
    const { ports, named } = this;
    const link = abortable(this.link, signal);
    const job = await this.sent(folder, await this.ownSpec(folder));
    if (job === undefined)
      refuse(
        "HASP795",
        "This job was not submitted yet, so there is nothing to fetch.",
        "Submit it first.",
        jobPaths(folder).job,
      );
    await withTarget(named, async () => fetchOutputs(ports, link, job));
  }
}

/** Jobs of a target: started over ssh, or by SLURM. The folder of a job here has all that is needed to find it again from any machine. */
export const remoteBackend = (ports: RemotePorts, named: NamedTarget): JobBackend =>
  new RemoteBackend(ports, named);
