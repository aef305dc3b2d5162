import { asCount, asRecord, asText, isRecord, type JsonRecord } from "../records.ts";
import { forget, type Rollout, startSegment } from "./rollout.ts";
import { baseOf, type CodexThreads, keyOf } from "./threads.ts";

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
export function takeMeta(rollout: Rollout, payload: JsonRecord, threads?: CodexThreads): void {
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
  if (!isRecord(payload["history_base"])) return;
  about.base = baseOf(payload);
  about.segment = rollout.places.segment === about.id ? undefined : rollout.places.segment;
  const mark = about.base === undefined ? undefined : threads?.marks.get(keyOf(about.base));
  if (mark === undefined) talk.lose();
  else talk.resume(mark.talk);
}

/** Notes the places at which other files leave this one, as its lines reach them. Without a line: all that are left. */
export function reachPlaces(rollout: Rollout, ordinal?: unknown): void {
  const { ahead, reached } = rollout.places;
  if (ordinal !== undefined && typeof ordinal !== "number") return;
  for (let [next] = ahead; next !== undefined && next <= (ordinal ?? next); [next] = ahead) {
    ahead.shift();
    startSegment(rollout);
    const segments = rollout.segments.length - 1;
    reached.push({ ordinal: next, segments, talk: rollout.talk.state() });
  }
}

/** Notes that the lines of the thread itself begin; those before are the parent's, for the model to read. */
export function enterOwnLines(rollout: Rollout, ordinal: unknown): void {
  const { about } = rollout;
  if (about.ownFrom === 0 || typeof ordinal !== "number" || ordinal < about.ownFrom) return;
  about.ownFrom = 0;
  forget(rollout);
}
