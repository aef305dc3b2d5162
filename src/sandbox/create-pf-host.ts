import type { Action } from "../model/action.ts";
import type { TeacherCall } from "../model/intervention.ts";
import { MAX_MODIFY_FIRES, type PfProgram } from "../model/skill.ts";
import { collectVotes } from "./ballot.ts";
import { createJury, type Case, type Jury } from "./jury.ts";
import {
  FRESH_STATE,
  type AskTeacher,
  type LoadedPf,
  type NotAsked,
  type PfCall,
  type PfHost,
  type PfQuestion,
  type PfState,
  type PfVerdict,
} from "./pf-host.ts";
import { whyNotAsked } from "./not-asked.ts";
import { readLoad, readProbe } from "./reply.ts";
import type { SandboxPort } from "./sandbox-port.ts";
import { countStrikes } from "./strikes.ts";
import { LIMITS, type Fault, type GuestVerdict, type Judged, type JudgedPf } from "./wire.ts";

/** Characters of a teacher's reply that reach the PF. */
const REPLY_CHARS = 20_000;

function notLoaded(skillId: string, { cause, message, line }: Fault): LoadedPf {
  const met = cause === "host" ? ({ metLimit: true } as const) : {};
  return { skillId, ok: false, message, ...(line !== undefined && { line }), ...met };
}

/** Two PFs cannot share an id: the first one keeps it. */
function sameId(skillId: string, file: string): LoadedPf {
  return { skillId, ok: false, message: `${file} is not loaded: another PF has the id ${skillId}` };
}

/** Loads a PF; one that met a limit of the sandbox again in a fresh one, where no other PF can be the reason. */
async function loadOne(
  port: SandboxPort,
  skillId: string,
  deadlineMs: number,
  fresh = false,
): Promise<LoadedPf> {
  const reply = readLoad(await port.load({ skillId, deadlineMs, fresh }));
  const result = "broken" in reply ? { fault: reply.broken } : reply.value;
  if ("traits" in result) {
    const { needsTeacher, maxFires, after, votes } = result.traits;
    return { skillId, ok: true, traits: { needsTeacher, maxFires, after, votes } };
  }
  if (result.fault.cause === "host" && !fresh) return loadOne(port, skillId, deadlineMs, true);
  return notLoaded(skillId, result.fault);
}

async function answer(skillId: string, call: TeacherCall, ask: AskTeacher): Promise<TeacherCall> {
  const { prompt, maxTokens, temperature } = call;
  try {
    const { reply, ...account } = await ask({ skillId, prompt, maxTokens, temperature });
    const given = reply === undefined ? { error: "no answer" } : { reply: reply.slice(0, REPLY_CHARS) };
    return { prompt, maxTokens, temperature, ...given, ...account };
  } catch (error) {
    return { prompt, maxTokens, temperature, error: error instanceof Error ? error.message : String(error) };
  }
}

function fresh(skillId: string, state: PfState = FRESH_STATE): JudgedPf {
  return { skillId, state, answers: [] };
}

function verdictsOf(judged: Judged | undefined): readonly GuestVerdict[] {
  return judged !== undefined && "verdicts" in judged ? judged.verdicts : [];
}

async function answerAll(pf: JudgedPf, asks: readonly TeacherCall[], ask: AskTeacher): Promise<JudgedPf> {
  const answers = await Promise.all(asks.map((call) => answer(pf.skillId, call, ask)));
  return { ...pf, answers: [...pf.answers, ...answers] };
}

/** Judges one proposal; PFs that asked run again with their answers until none asks. */
async function judgeWithTeacher(
  jury: Jury,
  pfs: readonly JudgedPf[],
  question: PfQuestion,
  ask: AskTeacher | undefined,
): Promise<ReadonlyMap<string, PfVerdict>> {
  const about: Case = { steps: [question], canAsk: ask !== undefined, mode: "episode" };
  const verdicts = new Map<string, PfVerdict>();
  let waiting = pfs;
  while (waiting.length > 0) {
    const judged = await jury.judge(waiting, about);
    const next: Promise<JudgedPf>[] = [];
    for (const [i, one] of judged.entries()) {
      const pf = waiting[i];
      const [verdict] = verdictsOf(one);
      if (verdict !== undefined) verdicts.set(one.skillId, verdict);
      else if (pf !== undefined && "asks" in one && ask !== undefined)
        next.push(answerAll(pf, one.asks, ask));
    }
    waiting = await Promise.all(next);
  }
  return verdicts;
}

/** The verdict of a PF that is not asked. */
function unasked(skillId: string, state: PfState, why: NotAsked | undefined): PfVerdict[] {
  return why === undefined ? [] : [{ skillId, state, kind: "skipped", why }];
}

/** The PFs that are asked at one step of a record, and the reasons of the others. */
interface StepPlan {
  readonly asked: ReadonlySet<string>;
  readonly others: ReadonlyMap<string, NotAsked>;
}

function planOf(skillIds: readonly string[], whyNot: (skillId: string) => NotAsked | undefined): StepPlan {
  const asked = new Set<string>();
  const others = new Map<string, NotAsked>();
  for (const id of skillIds) {
    const why = whyNot(id);
    if (why === undefined) asked.add(id);
    else others.set(id, why);
  }
  return { asked, others };
}

/** The verdicts of one PF on all steps, those included that did not cross. */
function onAllSteps(
  skillId: string,
  judged: readonly PfVerdict[],
  plans: readonly StepPlan[],
): readonly PfVerdict[] {
  let next = 0;
  let state = FRESH_STATE;
  return plans.flatMap(({ asked, others }) => {
    const verdict = asked.size === 0 ? undefined : judged[next++];
    if (verdict !== undefined) state = verdict.state;
    const why = others.get(skillId);
    if (why !== undefined) return unasked(skillId, state, why);
    return verdict === undefined ? [] : [verdict];
  });
}

/** The PFs that a sandbox holds. */
class LoadedPfs {
  private readonly pfs = new Map<string, LoadedPf>();
  private readonly phases = new Map<string, readonly string[]>();

  /** Replaces whatever was loaded; of two programs with one id the first is taken. */
  async load(
    programs: readonly PfProgram[],
    port: SandboxPort,
    deadlineMs: number,
  ): Promise<readonly LoadedPf[]> {
    this.pfs.clear();
    this.phases.clear();
    await port.setPrograms(programs.toReversed());
    const answers: LoadedPf[] = [];
    for (const { skillId, file, phases = [] } of programs) {
      const isFirst = !this.pfs.has(skillId);
      if (isFirst) this.phases.set(skillId, phases);
      const pf = isFirst ? await loadOne(port, skillId, deadlineMs) : sameId(skillId, file);
      if (isFirst) this.pfs.set(skillId, pf);
      answers.push(pf);
    }
    return answers;
  }

  /** Why a PF is not asked about an action; undefined where it is. */
  whyNot(skillId: string, call: PfCall): NotAsked | undefined {
    const pf = this.pfs.get(skillId);
    if (pf?.ok !== true) return undefined;
    return whyNotAsked({ after: pf.traits.after, phases: this.phases.get(skillId) ?? [] }, call);
  }

  /** Such actions it looks at after they have run. */
  looksAfter(skillId: string, { type }: Action): boolean {
    const pf = this.pfs.get(skillId);
    return pf?.ok === true && pf.traits.after.includes(type);
  }

  /** PFs that are not there are the caller's mistake; what a PF did never is. */
  check(skillIds: Iterable<string>): void {
    for (const skillId of skillIds) {
      if (this.pfs.get(skillId)?.ok !== true) throw new Error(`The PF ${skillId} is not loaded.`);
    }
  }
}

/**
 * The PfHost over a sandbox, wherever that runs. See PfHost for what each method promises. `stepMs`: milliseconds for one PF on one step,
 * and to load one.
 */
export function createPfHost(port: SandboxPort, stepMs: number = LIMITS.stepMs): PfHost {
  const strikes = countStrikes();
  const jury = createJury(port, strikes, stepMs);
  const loaded = new LoadedPfs();
  return {
    load(programs) {
      strikes.clear();
      return loaded.load(programs, port, stepMs);
    },
    async step(states, question, askTeacher) {
      loaded.check(states.keys());
      const idle = [...states].flatMap(([id, state]) => unasked(id, state, loaded.whyNot(id, question)));
      const out = new Map(idle.map((verdict) => [verdict.skillId, verdict]));
      const pfs = [...states].filter(([id]) => !out.has(id)).map(([id, state]) => fresh(id, state));
      const verdicts = await judgeWithTeacher(jury, pfs, question, askTeacher);
      return [...states.keys()].flatMap((id) => out.get(id) ?? verdicts.get(id) ?? []);
    },
    async fold(skillIds, steps) {
      loaded.check(skillIds);
      const plans = steps.map((step) => planOf(skillIds, (id) => loaded.whyNot(id, step)));
      // A step that nobody is asked about does not cross.
      const crossing = steps.flatMap((step, i) => {
        const asked = plans[i]?.asked ?? new Set();
        return asked.size === 0 ? [] : [{ ...step, asked }];
      });
      const judged = await jury.judge(
        skillIds.map((id) => fresh(id)),
        { steps: crossing, canAsk: false, mode: "episode" },
      );
      return new Map(judged.map((one) => [one.skillId, onAllSteps(one.skillId, verdictsOf(one), plans)]));
    },
    async mock(skillId, calls) {
      loaded.check([skillId]);
      const steps = calls.map((call) => ({
        ...call,
        maxModifyFires: MAX_MODIFY_FIRES,
        ...(loaded.looksAfter(skillId, call.proposed) && { pass: "post" as const }),
      }));
      const [judged] = await jury.judge([fresh(skillId)], { steps, canAsk: false, mode: "mock" });
      return verdictsOf(judged).map((verdict) => ({ ...verdict, activated: verdict.activated }));
    },
    async votes(skillIds, states, call) {
      loaded.check(skillIds);
      return skillIds.length === 0 ? [] : collectVotes(port, strikes, skillIds, states, call, stepMs);
    },
    async probe(program, state, question) {
      const reply = readProbe(
        await port.probe({ program, request: JSON.stringify({ state, question }), deadlineMs: stepMs }),
      );
      if ("broken" in reply) return { activated: undefined, probes: [], error: reply.broken.message };
      const { activated, probes, error } = reply.value;
      return { activated, probes, ...(error !== undefined && { error }) };
    },
    close: () => port.close(),
  };
}
