import type { PfProgram } from "../model/skill.ts";
import { Broken, hostFault } from "./breakdown.ts";
import { openRealm, type Now, type Realm } from "./realm.ts";
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

function realmSlot(probing: boolean, now: Now): RealmSlot {
  let current: Promise<Realm> | undefined;
  const discard = (): void => {
    current = undefined;
  };
  return {
    discard,
    async use(action) {
      const realm = await (current ??= openRealm(probing, now));
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
 * one that counts only this thread's work, so that a busy machine does not make PFs late.
 */
export function createSandbox(now: Now): SandboxPort {
  const judging = realmSlot(false, now);
  const probing = realmSlot(true, now);
  let programs = new Map<string, PfProgram>();
  const probed = new Map<string, string>();

  function need(realm: Realm, skillId: string): void {
    const program = programs.get(skillId);
    if (program === undefined) throw new Error(`the PF ${skillId} was never loaded`);
    if (!realm.has(skillId)) realm.load(program);
  }

  function probe(realm: Realm, { program, request }: ProbeJob): string {
    const loaded = realm.has(program.skillId) ? "" : realm.load(program);
    if (loaded.startsWith('{"fault"'))
      return valueReply(JSON.stringify({ probes: [], error: loadError(loaded) }));
    return valueReply(realm.probe(program.skillId, request));
  }

  return {
    setPrograms(next) {
      programs = new Map(next.map((program) => [program.skillId, program]));
      judging.discard();
      return Promise.resolve();
    },
    load(skillId, fresh) {
      if (fresh) judging.discard();
      return judging.use((realm) => {
        const program = programs.get(skillId);
        if (program === undefined) throw new Error(`the PF ${skillId} was never given`);
        return valueReply(realm.load(program));
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
