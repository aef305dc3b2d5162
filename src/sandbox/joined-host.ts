import type { PfProgram } from "../model/skill.ts";
import {
  FRESH_STATE,
  type AskTeacher,
  type LoadedPf,
  type PfCall,
  type PfHost,
  type PfQuestion,
  type PfState,
  type PfVerdict,
  type PfVote,
  type RecordedProposal,
} from "./pf-host.ts";

export interface JoinedHosts {
  /** Judges all other PFs; asked first, and never kept waiting by the second. */
  readonly first: PfHost;
  /** Judges the PFs in `ofSecond`: code that may hang, in a place of its own. */
  readonly second: PfHost;
  readonly ofSecond: ReadonlySet<string>;
  /** Milliseconds for one answer of the second; what takes longer is an error of each of its PFs. */
  readonly limitMs: () => number;
  /** Hears of a PF of the second that met a limit of its sandbox. */
  readonly onBroken: (skillId: string, message: string) => void;
}

const LATE = "did not end in time";

function errorVerdict(skillId: string, state: PfState, message: string): PfVerdict {
  return { skillId, state, kind: "error", cause: "host", message };
}

/** Resolves with the first to settle. The other one goes on unheard. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | { readonly why: string }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<{ why: string }>((resolve) => {
    timer = setTimeout(() => resolve({ why: LATE }), Math.max(0, ms));
  });
  const failed = (error: unknown) => ({ why: error instanceof Error ? error.message : String(error) });
  try {
    return await Promise.race([work.catch(failed), late]);
  } finally {
    clearTimeout(timer);
  }
}

const isWhy = (value: object): value is { readonly why: string } => "why" in value;

/** The second host: every answer comes within the limit, and what does not come is an error of each of its PFs. */
class LimitedHost {
  private readonly faults = new Map<string, string>();

  private readonly hosts: Pick<JoinedHosts, "second" | "limitMs" | "onBroken">;

  constructor(hosts: Pick<JoinedHosts, "second" | "limitMs" | "onBroken">) {
    this.hosts = hosts;
  }

  async load(programs: readonly PfProgram[]): Promise<readonly LoadedPf[]> {
    const { second, limitMs, onBroken } = this.hosts;
    this.faults.clear();
    if (programs.length === 0) return [];
    const loaded = await within(second.load(programs), limitMs());
    const told: readonly LoadedPf[] = isWhy(loaded)
      ? programs.map(({ skillId }) => ({ skillId, ok: false, message: loaded.why }))
      : loaded;
    for (const pf of told) {
      if (pf.ok) continue;
      this.faults.set(pf.skillId, pf.message);
      onBroken(pf.skillId, pf.message);
    }
    return told;
  }

  async step(
    states: ReadonlyMap<string, PfState>,
    question: PfQuestion,
    askTeacher: AskTeacher | undefined,
  ): Promise<readonly PfVerdict[]> {
    const { second, limitMs } = this.hosts;
    const asked = new Map([...states].filter(([id]) => !this.faults.has(id)));
    const judged = asked.size === 0 ? [] : await within(second.step(asked, question, askTeacher), limitMs());
    const told = new Map((isWhy(judged) ? [] : judged).map((verdict) => [verdict.skillId, verdict]));
    const verdicts = [...states].map(
      ([id, state]) => told.get(id) ?? errorVerdict(id, state, this.whyNot(id, judged)),
    );
    this.note(verdicts.filter(({ skillId }) => asked.has(skillId)));
    return verdicts;
  }

  /** A PF without an answer is an error on every step, and stays as it began. */
  async fold(
    skillIds: readonly string[],
    steps: readonly RecordedProposal[],
  ): Promise<ReadonlyMap<string, readonly PfVerdict[]>> {
    const { second, limitMs } = this.hosts;
    const asked = skillIds.filter((id) => !this.faults.has(id));
    const folded = asked.length === 0 ? new Map() : await within(second.fold(asked, steps), limitMs());
    const told = isWhy(folded) ? new Map<string, readonly PfVerdict[]>() : folded;
    return new Map(
      skillIds.map((id) => {
        const without = steps.map(() => errorVerdict(id, FRESH_STATE, this.whyNot(id, folded)));
        return [id, told.get(id) ?? without];
      }),
    );
  }

  async votes(
    skillIds: readonly string[],
    states: ReadonlyMap<string, PfState>,
    call: PfCall,
  ): Promise<readonly PfVote[]> {
    const { second, limitMs } = this.hosts;
    const asked = skillIds.filter((id) => !this.faults.has(id));
    const voted = asked.length === 0 ? [] : await within(second.votes(asked, states, call), limitMs());
    const told = new Map((isWhy(voted) ? [] : voted).map((vote) => [vote.skillId, vote]));
    return skillIds.map(
      (skillId) => told.get(skillId) ?? { skillId, kind: "error", message: this.whyNot(skillId, voted) },
    );
  }

  private whyNot(skillId: string, answer: object): string {
    return this.faults.get(skillId) ?? (isWhy(answer) ? answer.why : "gave no answer");
  }

  private note(verdicts: readonly PfVerdict[]): void {
    for (const verdict of verdicts)
      if (verdict.kind === "error" && verdict.cause === "host")
        this.hosts.onBroken(verdict.skillId, verdict.message);
  }
}

/** Two hosts as one. Whatever the PFs of the second do, those of the first are judged, and the answer comes within the limit. */
export function joinHosts({ first, second, ofSecond, limitMs, onBroken }: JoinedHosts): PfHost {
  const isSecond = (id: string): boolean => ofSecond.has(id);
  const isFirst = (id: string): boolean => !ofSecond.has(id);
  const limited = new LimitedHost({ second, limitMs, onBroken });
  return {
    async load(programs) {
      const others = limited.load(programs.filter(({ skillId }) => isSecond(skillId)));
      const loaded = await first.load(programs.filter(({ skillId }) => isFirst(skillId)));
      const all = new Map([...loaded, ...(await others)].map((pf) => [pf.skillId, pf]));
      return programs.flatMap(({ skillId }) => all.get(skillId) ?? []);
    },
    async step(states, question, askTeacher) {
      const part = (belongs: (id: string) => boolean) => new Map([...states].filter(([id]) => belongs(id)));
      // It begins at once, and runs while the first is at work.
      const others = limited.step(part(isSecond), question, askTeacher);
      const verdicts = await first.step(part(isFirst), question, askTeacher);
      const all = new Map([...verdicts, ...(await others)].map((verdict) => [verdict.skillId, verdict]));
      return [...states.keys()].flatMap((id) => all.get(id) ?? []);
    },
    async fold(skillIds, steps) {
      const others = limited.fold(skillIds.filter(isSecond), steps);
      const folded = await first.fold(skillIds.filter(isFirst), steps);
      const all = new Map([...folded, ...(await others)]);
      // The order of the ids is the order in which Γ hears them.
      return new Map(skillIds.map((id) => [id, all.get(id) ?? []]));
    },
    async votes(skillIds, states, call) {
      const others = limited.votes(skillIds.filter(isSecond), states, call);
      const votes = await first.votes(skillIds.filter(isFirst), states, call);
      const all = new Map([...votes, ...(await others)].map((vote) => [vote.skillId, vote]));
      return skillIds.flatMap((id) => all.get(id) ?? []);
    },
    mock: (skillId, calls) => (isSecond(skillId) ? second : first).mock(skillId, calls),
    probe: (program, state, call) => (isSecond(program.skillId) ? second : first).probe(program, state, call),
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}
