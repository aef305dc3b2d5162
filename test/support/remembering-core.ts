import type { Judging } from "../../src/app/ports.ts";
import type { PfProgram } from "../../src/model/skill.ts";
import type { PfHost } from "../../src/sandbox/pf-host.ts";
import type { Compiler } from "../../src/skill/compiler.ts";
import { openCore } from "./core.ts";

type Answers = Map<string, Promise<unknown>>;

const keyOf = (...parts: readonly unknown[]): string =>
  JSON.stringify(parts, (_name, value: unknown) => (value instanceof Map ? [...value] : value));

function once<T>(answers: Answers, key: string, work: () => Promise<T>): Promise<T> {
  const answer = (answers.get(key) ?? work()) as Promise<T>;
  answers.set(key, answer);
  return answer;
}

function rememberingCompiler(compiler: Compiler): Compiler {
  const answers: Answers = new Map();
  const asked =
    <T>(name: string, work: (file: string, source: string) => Promise<T>) =>
    (file: string, source: string): Promise<T> =>
      once(answers, keyOf(name, file, source), () => work(file, source));
  return {
    ...compiler,
    check: asked("check", (...args) => compiler.check(...args)),
    transpile: asked("transpile", (...args) => compiler.transpile(...args)),
    instrument: asked("instrument", (...args) => compiler.instrument(...args)),
    promptEquivalence: asked("promptEquivalence", (...args) => compiler.promptEquivalence(...args)),
  };
}

/** Hosts over one sandbox, which loads programs only where something is asked for the first time. */
function rememberingHosts(host: PfHost): () => PfHost {
  const answers: Answers = new Map();
  let loaded = "";
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    let programs: readonly PfProgram[] = [];
    const ask = <T>(work: () => Promise<T>): Promise<T> => {
      const own = programs;
      const next = last.then(async () => {
        if (loaded !== keyOf(own)) await host.load(own);
        loaded = keyOf(own);
        return work();
      });
      last = next.catch(() => undefined);
      return next;
    };
    const recall = <T>(parts: readonly unknown[], work: () => Promise<T>): Promise<T> =>
      once(answers, keyOf(programs, ...parts), () => ask(work));
    return {
      load(next) {
        programs = next;
        return recall(["load"], () => host.load(next));
      },
      step: (...args) => ask(() => host.step(...args)),
      fold: (...args) => recall(["fold", ...args], () => host.fold(...args)),
      mock: (...args) => recall(["mock", ...args], () => host.mock(...args)),
      votes: (...args) => recall(["votes", ...args], () => host.votes(...args)),
      probe: (...args) => recall(["probe", ...args], () => host.probe(...args)),
      close: async () => undefined,
    };
  };
}

/**
 * The real compiler and the real sandbox, for tests that ask them the same over and over: what they were asked once they answer from
 * memory. Judging depends on nothing else (unit/analysis/reproduction.test.ts).
 */
export function openRememberingCore(): Omit<Judging, "files"> & {
  close(): Promise<void>;
} {
  const core = openCore();
  return {
    compiler: rememberingCompiler(core.compiler),
    startHost: rememberingHosts(core.host),
    openContainment: core.openContainment,
    async close() {
      await core.host.close();
      await core.compiler.close();
    },
  };
}
