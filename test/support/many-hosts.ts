import type { PfHost } from "../../src/sandbox/pf-host.ts";

/** A host that offers further ones, with an account of all. */
export interface ManyHosts {
  readonly host: PfHost;
  /** Crossings of each host that was asked for one, the first at 0. */
  readonly folds: number[];
  /** Resolves once so many further ones have loaded programs. */
  readonly joined: Promise<void>;
  /** Further hosts that are not closed. */
  readonly open: () => number;
}

/** A host of `start` that offers one `further` less than `count`; at each call, as many new ones. */
export function manyHosts(count: number, start: () => PfHost): ManyHosts {
  const folds: number[] = [];
  const joined = Promise.withResolvers<void>();
  let loaded = 0;
  let open = 0;
  function counted(host: PfHost): PfHost {
    const number = folds.push(0) - 1;
    return {
      ...host,
      async load(programs) {
        const answers = await host.load(programs);
        if (number > 0 && ++loaded === count - 1) joined.resolve();
        return answers;
      },
      fold(...args) {
        folds[number] = (folds[number] ?? 0) + 1;
        return host.fold(...args);
      },
      async close() {
        await host.close();
        if (number > 0) open -= 1;
      },
    };
  }
  const further = (): readonly PfHost[] => {
    open += count - 1;
    return Array.from({ length: count - 1 }, () => counted(start()));
  };
  return { host: { ...counted(start()), further }, folds, joined: joined.promise, open: () => open };
}
