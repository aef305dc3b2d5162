import { asCount, asRecord, asText, isRecord, type JsonRecord } from "../records.ts";
import { forget, type Rollout } from "./rollout.ts";

/** What a line says of the session: the first to say a thing holds, for a fork repeats the lines of what it left. */
export function describeSession(rollout: Rollout, payload: JsonRecord): void {
  const { about } = rollout;
  about.cwd ??= asText(payload["cwd"]) ?? asText(payload["workdir"]);
  about.model ??= asText(payload["model"]);
  about.version ??= asText(payload["cli_version"]);
  about.branch ??= asText(asRecord(payload["git"])["branch"]);
}

/** The thread that called this one, and the one that it was copied from. */
export function threadsBefore(payload: JsonRecord): {
  readonly parent: string | undefined;
  readonly forkedFrom: string | undefined;
} {
  const spawn = spawnOf(payload);
  return {
    parent: asText(payload["parent_thread_id"]) ?? asText(spawn["parent_thread_id"]),
    forkedFrom: asText(payload["forked_from_id"]),
  };
}

const spawnOf = ({ source }: JsonRecord): JsonRecord =>
  asRecord(asRecord(asRecord(source)["subagent"])["thread_spawn"]);

/** What the first line of a session says. */
export function takeMeta(rollout: Rollout, payload: JsonRecord): void {
  const { about, talk } = rollout;
  about.id = asText(payload["id"]);
  describeSession(rollout, payload);
  const { parent, forkedFrom } = threadsBefore(payload);
  about.parent = parent;
  about.forkedFrom = parent === undefined ? forkedFrom : undefined;
  about.agentPath = asText(payload["agent_path"]) ?? asText(spawnOf(payload)["agent_path"]);
  about.ownFrom = asCount(payload["subagent_history_start_ordinal"]) ?? 0;
  const instructions = asText(asRecord(payload["base_instructions"])["text"]);
  if (instructions !== undefined) talk.begin(instructions);
  if (isRecord(payload["history_base"])) talk.lose();
}

/** Notes that the lines of the thread itself begin; those before are the parent's, for the model to read. */
export function enterOwnLines(rollout: Rollout, ordinal: unknown): void {
  const { about } = rollout;
  if (about.ownFrom === 0 || typeof ordinal !== "number" || ordinal < about.ownFrom) return;
  about.ownFrom = 0;
  forget(rollout);
}
