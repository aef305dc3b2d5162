import type { PfProgram } from "../model/skill.ts";
import type { AskTeacher, LoadedPf, PfHost, PfQuestion, PfState, PfVerdict } from "./pf-host.ts";

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

/** Two hosts as one. Whatever the PFs of the second do, those of the first are judged, and the answer comes within the limit. */
export function joinHosts({ first, second, ofSecond, limitMs, onBroken }: JoinedHosts): PfHost {
  const isSecond = (id: string): boolean => ofSecond.has(id);
  const faults = new Map<string, string>();

  function note(verdicts: readonly PfVerdict[]): void {
    for (const verdict of verdicts)
      if (verdict.kind === "error" && verdict.cause === "host") onBroken(verdict.skillId, verdict.message);
  }

  async function loadSecond(programs: readonly PfProgram[]): Promise<readonly LoadedPf[]> {
    faults.clear();
    if (programs.length === 0) return [];
    const loaded = await within(second.load(programs), limitMs());
    const told: readonly LoadedPf[] = isWhy(loaded)
      ? programs.map(({ skillId }) => ({ skillId, ok: false, message: loaded.why }))
      : loaded;
    for (const pf of told) {
      if (pf.ok) continue;
      faults.set(pf.skillId, pf.message);
      onBroken(pf.skillId, pf.message);
    }
    return told;
  }

  async function stepSecond(
    states: ReadonlyMap<string, PfState>,
    question: PfQuestion,
    askTeacher: AskTeacher | undefined,
  ): Promise<readonly PfVerdict[]> {
    const errors = [...states].flatMap(([id, state]) => {
      const fault = faults.get(id);
      return fault === undefined ? [] : [errorVerdict(id, state, fault)];
    });
    const asked = new Map([...states].filter(([id]) => !faults.has(id)));
    if (asked.size === 0) return errors;
    const judged = await within(second.step(asked, question, askTeacher), limitMs());
    const told = isWhy(judged)
      ? [...asked].map(([id, state]) => errorVerdict(id, state, judged.why))
      : judged;
    note(told);
    return [...errors, ...told];
  }

  return {
    async load(programs) {
      const others = loadSecond(programs.filter(({ skillId }) => isSecond(skillId)));
      const loaded = await first.load(programs.filter(({ skillId }) => !isSecond(skillId)));
      const all = new Map([...loaded, ...(await others)].map((pf) => [pf.skillId, pf]));
      return programs.flatMap(({ skillId }) => all.get(skillId) ?? []);
    },
    async step(states, question, askTeacher) {
      const part = (wanted: boolean) => new Map([...states].filter(([id]) => isSecond(id) === wanted));
      // It begins at once, and runs while the first is at work.
      const others = stepSecond(part(true), question, askTeacher);
      const verdicts = await first.step(part(false), question, askTeacher);
      const all = new Map([...verdicts, ...(await others)].map((verdict) => [verdict.skillId, verdict]));
      return [...states.keys()].flatMap((id) => all.get(id) ?? []);
    },
    async fold(skillIds, steps) {
      const theirs = skillIds.filter((id) => isSecond(id) && !faults.has(id));
      const others = theirs.length === 0 ? undefined : within(second.fold(theirs, steps), limitMs());
      const folded = new Map(
        await first.fold(
          skillIds.filter((id) => !isSecond(id)),
          steps,
        ),
      );
      const judged = await others;
      // Without an answer, they begin anew.
      if (judged !== undefined && !isWhy(judged))
        for (const [id, verdicts] of judged) folded.set(id, verdicts);
      return folded;
    },
    mock: (skillId, questions) => (isSecond(skillId) ? second : first).mock(skillId, questions),
    probe: (program, state, question) =>
      (isSecond(program.skillId) ? second : first).probe(program, state, question),
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}
