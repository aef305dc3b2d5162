import type { Probe } from "../../model/explanation.ts";
import type { ProbeReply, ProbeRequest } from "../wire.ts";
import { freezeJson, memoryCopy } from "./data.ts";
import { describe } from "./fault.ts";
import { call, programOf } from "./programs.ts";
import { valueText } from "./value-text.ts";

/** The last ones are kept: the decision stands at the end of a run, however long its loops were. */
const MAX_PROBES = 10_000;

let probes: Probe[] = [];

/** What instrumented code calls around an expression: notes its value and gives it back. */
export function record<T>(id: number, value: T): T {
  if (probes.length === 2 * MAX_PROBES) probes = probes.slice(MAX_PROBES);
  probes.push({ id, value: valueText(value) });
  return value;
}

/** Runs `shouldActivate` once and answers what was recorded on the way (ProbeReply as JSON). */
export function probe(skillId: string, text: string): string {
  const { state, question } = JSON.parse(text) as ProbeRequest;
  freezeJson(question);
  probes = [];
  const answer = (rest: Omit<ProbeReply, "probes">): string =>
    JSON.stringify({ probes: probes.slice(-MAX_PROBES), ...rest });
  try {
    const ctx = Object.freeze({ ...question.context, memory: memoryCopy(state.memory) });
    const pf = programOf(skillId).create();
    const activated = call(pf, "shouldActivate", [ctx, question.proposed.type, question.proposed.arg]);
    if (typeof activated !== "boolean") return answer({ error: "shouldActivate must return true or false." });
    return answer({ activated });
  } catch (thrown) {
    return answer({ error: describe(thrown, skillId).message });
  }
}
