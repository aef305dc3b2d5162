import type { PfHost } from "../sandbox/pf-host.ts";

/** `startPfHost`, whose code is loaded with the first request. */
export function latePfHost(workerFile: string): PfHost {
  let host: Promise<PfHost> | undefined;
  const load = async (): Promise<PfHost> => (await import("./worker-pf-host.ts")).startPfHost({ workerFile });
  const ready = (): Promise<PfHost> => (host ??= load());
  return {
    load: async (programs) => (await ready()).load(programs),
    step: async (states, question, askTeacher) => (await ready()).step(states, question, askTeacher),
    fold: async (skillIds, steps) => (await ready()).fold(skillIds, steps),
    mock: async (skillId, calls) => (await ready()).mock(skillId, calls),
    votes: async (skillIds, states, call) => (await ready()).votes(skillIds, states, call),
    probe: async (instrumented, state, call) => (await ready()).probe(instrumented, state, call),
    async close() {
      if (host !== undefined) return (await host).close();
      host = Promise.reject(new Error("The PF host is closed."));
      host.catch(() => undefined);
    },
  };
}
