import type { Guest } from "../wire.ts";
import { begin, poll } from "./crossing.ts";
import { deepFreeze } from "./data.ts";
import { describe } from "./fault.ts";
import { harden as hardenRealm } from "./harden.ts";
import { haspModule } from "./hasp-module.ts";
import { probe, record } from "./probe.ts";
import { register } from "./programs.ts";

const PROBE = "__hasp_probe";

/**
 * The code that shares the sandbox with the PFs and speaks for them to the host (wire.ts, `Guest`). It is the first to
 * run and keeps what it needs; the PFs come after `harden` and find every intrinsic frozen.
 */
export const guest: Guest = {
  module: haspModule,
  harden(probing) {
    deepFreeze(haspModule);
    Object.freeze(haspModule.ProgramFunction.prototype);
    if (probing) Object.defineProperty(globalThis, PROBE, { value: Object.freeze(record) });
    hardenRealm(probing ? [PROBE] : []);
  },
  register: (skillId, namespace) => JSON.stringify(register(skillId, namespace as { default?: unknown })),
  describe: (skillId, thrown) => JSON.stringify(describe(thrown, skillId)),
  begin,
  poll,
  probe,
};
