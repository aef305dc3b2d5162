import { addAll } from "../add-all.ts";
import type { Origin } from "../../../model/episode.ts";
import { ownWords } from "../../../skill/asking/own-words.ts";
import { episodeOf } from "../conversation.ts";
import type { ReadEpisode, Turn } from "../turn.ts";
import type { ConversationPath } from "./conversation-paths.ts";
import { callIdsIn } from "./message-blocks.ts";
import { type TurnOptions, turnsOf } from "./path-turns.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { TranscriptLine } from "./transcript-line.ts";

/** The episode of one path of a conversation. */
export interface PathEpisode {
  readonly read: ReadEpisode;
  readonly isLive: boolean;
  /** The step at which the path is with this line, or -1. */
  stepAt(place: number): number;
}

/** The conversation that the paths are of. */
export interface PathSource {
  readonly id: string;
  readonly lines: readonly TranscriptLine[];
  readonly facts: SessionFacts;
  readonly turns: TurnOptions;
  /** The question, unless a person asks one: of a sub-agent what its caller gave it. */
  readonly task: string | undefined;
  /** A person went back to before its first words: nothing of it stands any more. */
  readonly isAbandoned: boolean;
  /** It is the session's own, and no sub-agent's: costs are its. */
  readonly isMain: boolean;
}

/**
 * The episodes of the paths, the live one first and the others in the order of the file. A path on which the agent said nothing gives none:
 * its words are kept with the path that it left. `takenBack`: how many these are; `unread`: results on such paths.
 */
export function episodesOfPaths(
  source: PathSource,
  paths: readonly ConversationPath[],
): { readonly episodes: readonly PathEpisode[]; readonly takenBack: number; readonly unread: number } {
  const [live, ...others] = paths;
  if (live === undefined) return { episodes: [], takenBack: 0, unread: 0 };
  const branches = others.toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
  const turns = new Map([live, ...branches].map((path) => [path, turnsOfPath(source, path)] as const));
  const answered = branches.filter((path) => turns.get(path)?.some(({ kind }) => kind === "agent"));
  const ids = new Map(
    [live, ...answered].map((path, n) => [path, n === 0 ? source.id : `${source.id}~branch-${n}`]),
  );
  const heldBack = wordsOfUnanswered(branches, turns, ids);
  const built = new Map<ConversationPath, PathEpisode>();
  const liveTurns = turns.get(live) ?? [];
  if (answered.length > 0 || liveTurns.some(({ kind }) => kind === "agent"))
    built.set(live, build(source, live, liveTurns, { id: source.id, takenBack: heldBack.get(live) }));
  const question = built.get(live)?.read.episode.question;
  // Paths stand behind those that they leave in `paths`, not in `branches`.
  for (const path of others) {
    const id = ids.get(path);
    if (id === undefined) continue;
    const home = homeOf(path, ids);
    const at = home === undefined ? -1 : (built.get(home)?.stepAt(placeOn(path, home)) ?? -1);
    const origin: Origin = {
      as: "branch",
      episode: (home && ids.get(home)) ?? source.id,
      ...(at < 0 ? {} : { t: at }),
    };
    built.set(
      path,
      build(source, path, turns.get(path) ?? [], { id, origin, question, takenBack: heldBack.get(path) }),
    );
  }
  const episodes = [live, ...answered].flatMap((path) => built.get(path) ?? []);
  const silent = branches.filter((path) => !ids.has(path)).flatMap((path) => turns.get(path) ?? []);
  return {
    episodes,
    takenBack: [...heldBack.values()].flat().length,
    unread: silent.filter(({ kind }) => kind === "result").length,
  };
}

function turnsOfPath(source: PathSource, path: ConversationPath): readonly Turn[] {
  return turnsOf(
    path.lines.flatMap((place) => source.lines[place] ?? []),
    source.turns,
  );
}

/** The path with an episode that a path left, itself or by those between. */
function homeOf(
  path: ConversationPath,
  ids: ReadonlyMap<ConversationPath, string>,
): ConversationPath | undefined {
  let home = path.from;
  while (home !== undefined && !ids.has(home)) home = home.from;
  return home;
}

/** The line of `home` at which the path left it, itself or by those between. */
function placeOn(path: ConversationPath, home: ConversationPath): number {
  let at = path;
  while (at.from !== undefined && at.from !== home) at = at.from;
  return at.after;
}

/** What a person said on paths on which no reply followed, by the path with an episode that they left. */
function wordsOfUnanswered(
  branches: readonly ConversationPath[],
  turns: ReadonlyMap<ConversationPath, readonly Turn[]>,
  ids: ReadonlyMap<ConversationPath, string>,
): ReadonlyMap<ConversationPath, readonly string[]> {
  const found = new Map<ConversationPath, string[]>();
  for (const path of branches) {
    const home = ids.has(path) ? undefined : homeOf(path, ids);
    if (home === undefined) continue;
    const words = (turns.get(path) ?? []).flatMap((turn) =>
      turn.kind === "user" && ownWords(turn.text) !== "" ? [ownWords(turn.text)] : [],
    );
    const others = found.get(home) ?? [];
    found.set(home, others);
    addAll(others, words);
  }
  return found;
}

interface Naming {
  readonly id: string;
  readonly origin?: Origin;
  /** Of the live path: that of a path which begins with no words of a person. */
  readonly question?: string | undefined;
  readonly takenBack: readonly string[] | undefined;
}

function build(
  source: PathSource,
  path: ConversationPath,
  turns: readonly Turn[],
  { id, origin, question, takenBack }: Naming,
): PathEpisode {
  const { facts } = source;
  const isLive = origin === undefined;
  const isCut = path.lines.some((place) => {
    const line = source.lines[place];
    return line?.kind === "agent" && line.isCut;
  });
  const taken = takenBack === undefined || takenBack.length === 0 ? {} : { takenBack };
  const extra = { ...facts.extra(), ...taken };
  const read = episodeOf({
    id,
    source: "claude-code",
    turns,
    coding: { cwd: facts.cwd },
    ...(beginsWithWords(turns) ? {} : { question: isLive ? source.task : question }),
    ...(isLive && !source.isAbandoned ? {} : { outcome: "abandoned" }),
    ...(origin === undefined ? {} : { origin }),
    ...(isLive ? { prompts: "transcript" } : {}),
    ...(isCut ? { stopReason: "interrupted" } : {}),
    settings: facts.settings(),
    extra: Object.keys(extra).length === 0 ? undefined : extra,
  });
  const cost = isLive && source.isMain ? facts.costOf(read.episode.cost) : read.episode.cost;
  const episode = { ...read.episode, ...(cost === undefined ? {} : { cost }) };
  const whole = { ...read, episode };
  let steps: ReadonlyMap<number, number> | undefined;
  return {
    read: whole,
    isLive,
    stepAt(place) {
      steps ??= stepsAlong(source.lines, path, whole);
      return steps.get(place) ?? -1;
    },
  };
}

/** Whether a person speaks before the agent does. */
function beginsWithWords(turns: readonly Turn[]): boolean {
  for (const turn of turns) {
    if (turn.kind === "agent") return false;
    if (turn.kind === "user" && ownWords(turn.text) !== "") return true;
  }
  return false;
}

/** Of each line of a path the latest step that was made with it or before it. */
function stepsAlong(
  lines: readonly TranscriptLine[],
  path: ConversationPath,
  { episode }: ReadEpisode,
): ReadonlyMap<number, number> {
  const ofCalls = new Map<unknown, number>();
  const ofLines = new Map<unknown, number>();
  for (const { t, extra } of episode.steps) {
    if (extra?.["callId"] !== undefined) ofCalls.set(extra["callId"], t);
    if (extra?.["uuid"] !== undefined) ofLines.set(extra["uuid"], t);
  }
  const along = new Map<number, number>();
  let latest = -1;
  for (const place of path.lines) {
    const line = lines[place];
    if (line?.kind === "agent") {
      const call = callIdsIn(line.blocks).at(-1);
      latest = Math.max(latest, ofCalls.get(call) ?? ofLines.get(line.uuid) ?? latest);
    }
    along.set(place, latest);
  }
  return along;
}
