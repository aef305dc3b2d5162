import type { PfQuestion, PfState, RecordedProposal } from "./pf-host.ts";
import { readJudged } from "./reply.ts";
import type { SandboxPort } from "./sandbox-port.ts";
import { sentStep } from "./sent-steps.ts";
import type { Strikes } from "./strikes.ts";
import {
  crossingDeadline,
  LIMITS,
  type Fault,
  type GuestVerdict,
  type JudgedPf,
  type Judged,
  type JudgeRequest,
  type Reply,
  type SentPf,
} from "./wire.ts";

/** A live proposal, or one of a record. */
export interface JudgedStep extends PfQuestion, Partial<Pick<RecordedProposal, "replies">> {
  /** The PFs that are asked; absent: all. The state of the others stays as it is. */
  readonly asked?: ReadonlySet<string>;
}

/** What is put before the PFs, without them. */
export type Case = Pick<JudgeRequest, "canAsk" | "mode"> & { readonly steps: readonly JudgedStep[] };

/** PFs × steps of one crossing: keeps a deadline short and a request small. */
const PAIRS = 500;

function errorVerdict(pf: JudgedPf, fault: Fault): GuestVerdict {
  const answered = pf.answers.length > 0 ? { teacherCalls: pf.answers } : {};
  return { skillId: pf.skillId, state: pf.state, kind: "error", ...fault, ...answered };
}

function allErrors(pf: JudgedPf, steps: number, fault: Fault): Judged {
  return { skillId: pf.skillId, verdicts: Array.from({ length: steps }, () => errorVerdict(pf, fault)) };
}

function stateAfter(pf: JudgedPf, judged: Judged, mode: Case["mode"]): PfState {
  const last = "verdicts" in judged ? judged.verdicts.at(-1) : undefined;
  return mode === "mock" ? pf.state : (last?.state ?? pf.state);
}

function join(before: readonly GuestVerdict[], judged: Judged): Judged {
  return "verdicts" in judged
    ? { skillId: judged.skillId, verdicts: [...before, ...judged.verdicts] }
    : judged;
}

/** Most PFs come with nothing to say but who they are, and the sandbox reads slowly. */
function brief(pf: JudgedPf): SentPf {
  const { memory, fires, modifies } = pf.state;
  const isFresh = fires === 0 && modifies === 0 && pf.answers.length === 0;
  return isFresh && JSON.stringify(memory) === "{}" ? pf.skillId : pf;
}

const charsOf = (step: JudgedStep, before: JudgedStep | undefined): number =>
  JSON.stringify(sentStep(step, before)).length;

/** Evaluations of these steps by so many PFs. */
function evaluations(pfs: number, steps: readonly JudgedStep[]): number {
  return steps.reduce((sum, { asked }) => sum + (asked?.size ?? pfs), 0);
}

/** Cuts steps into crossings of at most PAIRS evaluations and the characters that a request may have. */
function crossings(pfs: number, steps: readonly JudgedStep[]): JudgedStep[][] {
  const chunks: JudgedStep[][] = [];
  let chars = 0;
  let pairs = 0;
  for (const step of steps) {
    const last = chunks.at(-1);
    const more = evaluations(pfs, [step]);
    const further = last === undefined || pairs + more > PAIRS ? undefined : charsOf(step, last.at(-1));
    if (further === undefined || chars + further > LIMITS.requestChars) {
      chunks.push([step]);
      chars = steps.length === 1 ? 0 : charsOf(step, undefined);
      pairs = more;
    } else {
      last?.push(step);
      chars += further;
      pairs += more;
    }
  }
  return chunks;
}

/** Positions of the PFs that a step asks; all of them need no list. */
function placesOf({ asked }: JudgedStep, pfs: readonly JudgedPf[]): { readonly asked?: readonly number[] } {
  if (asked === undefined) return {};
  const places = pfs.flatMap(({ skillId }, place) => (asked.has(skillId) ? [place] : []));
  return places.length === pfs.length ? {} : { asked: places };
}

/** Puts one case before these PFs, in one crossing. */
async function cross(
  port: SandboxPort,
  pfs: readonly JudgedPf[],
  about: Case,
  stepMs: number,
  fresh: boolean,
): Promise<Reply<readonly Judged[]>> {
  const [first] = about.steps;
  if (first === undefined) return { value: pfs.map(({ skillId }) => ({ skillId, verdicts: [] })) };
  const steps = about.steps.map((step, i) => ({
    ...sentStep(step, about.steps[i - 1]),
    ...placesOf(step, pfs),
  }));
  const request: JudgeRequest = {
    pfs: pfs.map(brief),
    modifyCap: first.maxModifyFires,
    ...about,
    steps,
  };
  const reply = await port.judge({
    skillIds: pfs.map((pf) => pf.skillId),
    request: JSON.stringify(request),
    deadlineMs: crossingDeadline(evaluations(pfs.length, about.steps), stepMs),
    fresh,
  });
  return readJudged(reply, pfs, about);
}

/** Why a single step cannot enter the sandbox; several steps have been cut into `crossings` that fit. */
function tooLarge({ steps }: Case): Fault | undefined {
  const size = steps.length === 1 ? JSON.stringify(steps).length : 0;
  if (size <= LIMITS.requestChars) return undefined;
  return {
    cause: "host",
    message: `was not run: the context has ${size} characters, ${LIMITS.requestChars} are allowed`,
  };
}

/** Judges cases, whatever the PFs do. */
export interface Jury {
  /** Answers in the order of `pfs`. */
  judge(pfs: readonly JudgedPf[], about: Case): Promise<readonly Judged[]>;
}

/**
 * Gets every PF its answers, whatever the others do. A crossing that breaks the sandbox says nothing about who did it, so
 * each PF is tried again alone in a fresh one, and over several steps, step by step: what still breaks is that PF's own
 * doing, an `error` verdict and a strike.
 */
export function createJury(port: SandboxPort, strikes: Strikes, stepMs: number): Jury {
  async function stepByStep(pf: JudgedPf, about: Case): Promise<Judged> {
    let judged: Judged = { skillId: pf.skillId, verdicts: [] };
    for (const step of about.steps) {
      const now = { ...pf, state: stateAfter(pf, judged, about.mode) };
      const before: readonly GuestVerdict[] = "verdicts" in judged ? judged.verdicts : [];
      judged = join(before, await alone(now, { ...about, steps: [step] }));
    }
    return judged;
  }

  async function alone(pf: JudgedPf, about: Case): Promise<Judged> {
    const barred = strikes.barred(pf.skillId);
    if (barred !== undefined) return allErrors(pf, about.steps.length, barred);
    const reply = await cross(port, [pf], about, stepMs, true);
    const [judged] = "value" in reply ? reply.value : [];
    if (judged !== undefined) return judged;
    if (about.steps.length > 1) return stepByStep(pf, about);
    const fault: Fault = "broken" in reply ? reply.broken : { cause: "host", message: "gave no answer" };
    strikes.add(pf.skillId, fault);
    return allErrors(pf, 1, fault);
  }

  async function together(pfs: readonly JudgedPf[], about: Case): Promise<readonly Judged[]> {
    const refused = tooLarge(about);
    if (refused !== undefined) return pfs.map((pf) => allErrors(pf, about.steps.length, refused));
    const running = pfs.filter((pf) => strikes.barred(pf.skillId) === undefined);
    const reply = running.length === 0 ? { value: [] } : await cross(port, running, about, stepMs, false);
    const found = new Map(("value" in reply ? reply.value : []).map((judged) => [judged.skillId, judged]));
    const answers: Judged[] = [];
    for (const pf of pfs) answers.push(found.get(pf.skillId) ?? (await alone(pf, about)));
    return answers;
  }

  return {
    async judge(pfs, about) {
      let answers: readonly Judged[] = pfs.map((pf) => ({ skillId: pf.skillId, verdicts: [] }));
      if (pfs.length === 0) return answers;
      for (const steps of crossings(pfs.length, about.steps)) {
        const now = pfs.map((pf, i) => {
          const before = answers[i];
          return before === undefined ? pf : { ...pf, state: stateAfter(pf, before, about.mode) };
        });
        const next = await together(now, { ...about, steps });
        answers = next.map((judged, i) => {
          const before = answers[i];
          return join(before !== undefined && "verdicts" in before ? before.verdicts : [], judged);
        });
      }
      return answers;
    },
  };
}
