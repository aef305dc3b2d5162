import type { PfProgram } from "../model/skill.ts";
import { Broken, hostFault } from "./breakdown.ts";
import { openRealm, type Now, type Realm } from "./realm.ts";
import type { RealmImage, RealmStart } from "./realm-image.ts";
import type { JudgeJob, ProbeJob, SandboxPort } from "./sandbox-port.ts";
import type { Fault } from "./wire.ts";

const brokenReply = (fault: Fault): string => JSON.stringify({ broken: fault });
const valueReply = (json: string): string => `{"value":${json}}`;

/** A realm that is opened when needed and replaced when it broke. */
interface RealmSlot {
  use(action: (realm: Realm) => string): Promise<string>;
  discard(): void;
}

function faultFrom(thrown: unknown): Fault {
  return thrown instanceof Broken ? thrown.fault : hostFault(String(thrown));
}

/** `start` is where the first realm begins; one that replaces it begins without the image. */
function realmSlot(probing: boolean, now: Now, start: RealmStart): RealmSlot {
  let current: Promise<Realm> | undefined;
  let next = start;
  const discard = (): void => {
    current = undefined;
  };
  return {
    discard,
    async use(action) {
      if (current === undefined) {
        current = openRealm(probing, now, next);
        next = { module: start.module };
      }
      const realm = await current;
      try {
        const reply = action(realm);
        if (reply.startsWith('{"broken"')) discard();
        return reply;
      } catch (thrown) {
        // Whatever was thrown: QuickJS was left in the middle of something (DESIGN.md, "What runs what").
        discard();
        return brokenReply(faultFrom(thrown));
      }
    },
  };
}

/**
 * Runs PFs in QuickJS in the calling thread. An endless loop and a full memory are stopped; a native call that never
 * returns is not, and very deep data can overflow the thread's own stack: the product runs this in a worker of 8 MB stack
 * under a watchdog (platform/worker-pf-host.ts). `now`: milliseconds on a steady clock, best
 * one that counts only this thread's work, so that a busy machine does not make PFs late. `start.image` is one of `imageOf` the programs
 * that are given first.
 */
export function createSandbox(now: Now, start: RealmStart = {}): SandboxPort {
  const judging = realmSlot(false, now, start);
  const probing = realmSlot(true, now, { module: start.module });
  let programs = new Map<string, PfProgram>();
  const probed = new Map<string, string>();

  function need(realm: Realm, skillId: string): void {
    const program = programs.get(skillId);
    if (program === undefined) throw new Error(`the PF ${skillId} was never loaded`);
    if (!realm.has(skillId)) realm.load(program);
  }

  function probe(realm: Realm, { program, request, deadlineMs }: ProbeJob): string {
    const loaded = realm.has(program.skillId) ? "" : realm.load(program, deadlineMs);
    if (loaded.startsWith('{"fault"'))
      return valueReply(JSON.stringify({ probes: [], error: loadError(loaded) }));
    return valueReply(realm.probe(program.skillId, request, deadlineMs));
  }

  return {
    setPrograms(next) {
      programs = new Map(next.map((program) => [program.skillId, program]));
      judging.discard();
      return Promise.resolve();
    },
    load({ skillId, deadlineMs, fresh }) {
      if (fresh) judging.discard();
      return judging.use((realm) => {
        const program = programs.get(skillId);
        if (program === undefined) throw new Error(`the PF ${skillId} was never given`);
        return valueReply(realm.load(program, deadlineMs));
      });
    },
    judge(job: JudgeJob) {
      if (job.fresh) judging.discard();
      return judging.use((realm) => {
        for (const skillId of job.skillIds) need(realm, skillId);
        return realm.judge(job.request, job.deadlineMs);
      });
    },
    probe(job) {
      const { skillId, code } = job.program;
      // A module cannot be unloaded: another version of a PF needs another realm.
      if (probed.has(skillId) && probed.get(skillId) !== code) probing.discard();
      probed.set(skillId, code);
      return probing.use((realm) => probe(realm, job));
    },
    close() {
      judging.discard();
      probing.discard();
      return Promise.resolve();
    },
  };
}

function loadError(loaded: string): string {
  const { fault } = JSON.parse(loaded) as { fault: Fault };
  return fault.message;
}

/** A realm with these programs loaded, for other processes to begin with. Undefined where one of them does not load. */
export async function imageOf(programs: readonly PfProgram[], now: Now): Promise<RealmImage | undefined> {
  try {
    const realm = await openRealm(false, now);
    const answers = programs.map((program) => realm.load(program));
    return answers.some((answer) => answer.startsWith('{"fault"')) ? undefined : await realm.image();
  } catch (thrown) {
    if (thrown instanceof Broken) return undefined;
    throw thrown;
  }
}
