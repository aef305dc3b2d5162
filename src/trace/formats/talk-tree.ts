import type { Origin, Outcome } from "../../model/episode.ts";
import type { ReadEpisode, Turn } from "./turn.ts";

/** A piece of a talk that names the piece that it goes on from. */
export interface TalkNode {
  readonly id: string;
  readonly parent: string | undefined;
  readonly turns: readonly Turn[];
}

/** Pieces that follow each other, from the place where they left another path to their end. */
export interface TalkPath<Node extends TalkNode = TalkNode> {
  readonly nodes: readonly Node[];
  /** The path that it left, by its place in the list, and the piece after which it left. Undefined for a path with a root of its own. */
  readonly left?: { readonly path: number; readonly node: number } | undefined;
  /** The parent that its first piece names is not there, or comes after it in a circle. */
  readonly lacksParent?: "missing" | "circle";
}

/**
 * The paths of a tree, the one to `leaf` first (else the one to the last piece), then the later ones before the earlier. Each piece is in
 * one path. Takes time in proportion to the pieces, whatever their parents are.
 */
export function pathsOf<Node extends TalkNode>(
  nodes: readonly Node[],
  leaf?: number,
): readonly TalkPath<Node>[] {
  const places = new Map<string, number>();
  nodes.forEach(({ id }, at) => places.has(id) || places.set(id, at));
  /** The path of each piece, and its place there counted from the end. */
  const owners = new Map<number, { readonly path: number; readonly fromEnd: number }>();
  const paths: { nodes: Node[]; left?: TalkPath["left"]; lacksParent?: "missing" | "circle" }[] = [];
  const ends = nodes.map((_, at) => nodes.length - 1 - at);
  for (const last of leaf === undefined ? ends : [leaf, ...ends]) {
    if (owners.has(last)) continue;
    const path: (typeof paths)[number] = { nodes: [] };
    let at: number | undefined = last;
    while (at !== undefined) {
      const node: Node | undefined = nodes[at];
      if (node === undefined) break;
      owners.set(at, { path: paths.length, fromEnd: path.nodes.length });
      path.nodes.push(node);
      const parent: number | undefined = node.parent === undefined ? undefined : places.get(node.parent);
      if (node.parent !== undefined && parent === undefined) path.lacksParent = "missing";
      const owner: ReturnType<typeof owners.get> = parent === undefined ? undefined : owners.get(parent);
      if (owner?.path === paths.length) path.lacksParent = "circle";
      else if (owner !== undefined)
        path.left = { path: owner.path, node: (paths[owner.path]?.nodes.length ?? 0) - 1 - owner.fromEnd };
      at = owner === undefined ? parent : undefined;
    }
    path.nodes.reverse();
    paths.push(path);
  }
  return paths;
}

/** Inputs of the episode of one path. */
export interface PathEpisode<Node extends TalkNode = TalkNode> {
  readonly id: string;
  readonly turns: readonly Turn[];
  readonly nodes: readonly Node[];
  readonly origin?: Origin;
  readonly outcome?: Outcome;
  /** The question of the session, for a branch that begins with the agent. */
  readonly question?: string | undefined;
}

export interface TreeOptions<Node extends TalkNode> {
  readonly id: string;
  /** The key of a step's `extra` that has the id of its piece. */
  readonly key: string;
  readonly episodeOf: (path: PathEpisode<Node>) => ReadEpisode;
}

const hasAgent = ({ turns }: TalkNode): boolean => turns.some((turn) => turn.kind === "agent");

/**
 * The episodes of one session's paths: the first stands, the others are branches that were abandoned. A path in which the agent did nothing
 * gives none; `silent` counts those with words.
 */
export function treeEpisodes<Node extends TalkNode>(
  paths: readonly TalkPath<Node>[],
  { id, key, episodeOf }: TreeOptions<Node>,
): { readonly episodes: readonly ReadEpisode[]; readonly silent: number } {
  const acted = paths.map((path) => path.nodes.some(hasAgent));
  // The session itself is kept for its branches to refer to, even without a step.
  acted[0] ||= acted.includes(true);
  const made: Made = { id, paths: [], first: undefined };
  const episodes: ReadEpisode[] = [];
  let silent = 0;
  let number = acted.slice(1).filter(Boolean).length;
  for (const [place, path] of paths.entries()) {
    const left = path.left === undefined ? undefined : placeIn(made, path.left);
    if (acted[place] !== true) {
      if (path.nodes.some(({ turns }) => turns.length > 0)) silent++;
      // A branch of a path without a step counts as one of the path before it.
      made.paths.push({ left, own: undefined });
      continue;
    }
    const own = place === 0 ? id : `${id}~branch-${number--}`;
    const turns = path.nodes.flatMap((node) => node.turns);
    const branch = place === 0 ? {} : branchOf(turns, left, made);
    const read = episodeOf({ id: own, turns, nodes: path.nodes, ...branch });
    made.first ??= place === 0 ? read.episode.question : undefined;
    made.paths.push({ left, own: { id: own, steps: stepsOfNodes(path.nodes, read, key) } });
    episodes.push(read);
  }
  // The later paths were made before the earlier.
  const [first, ...branches] = episodes;
  return { episodes: first === undefined ? [] : [first, ...branches.toReversed()], silent };
}

/** A step of an episode, or the place before its first one. */
interface Place {
  readonly episode: string;
  readonly t: number | undefined;
}

interface Made {
  readonly id: string;
  readonly paths: {
    readonly left: Place | undefined;
    readonly own: { readonly id: string; readonly steps: readonly (number | undefined)[] } | undefined;
  }[];
  /** The question of the session. */
  first: string | undefined;
}

function placeIn({ paths }: Made, { path, node }: NonNullable<TalkPath["left"]>): Place | undefined {
  const { own, left } = paths[path] ?? {};
  return own === undefined ? left : { episode: own.id, t: own.steps[node] };
}

function branchOf(
  turns: readonly Turn[],
  left: Place | undefined,
  { id, first }: Made,
): Pick<PathEpisode, "outcome" | "origin" | "question"> {
  const { episode, t } = left ?? { episode: id, t: undefined };
  const begins = turns.find((turn) => turn.kind !== "system");
  return {
    outcome: "abandoned",
    origin: { as: "branch", episode, ...(t === undefined ? {} : { t }) },
    question: begins?.kind === "user" || first === "" ? undefined : first,
  };
}

/** The latest step that each piece of a path had come to. */
function stepsOfNodes(
  nodes: readonly TalkNode[],
  { episode }: ReadEpisode,
  key: string,
): readonly (number | undefined)[] {
  const last = new Map<unknown, number>();
  let current: unknown;
  let turn: unknown;
  for (const { t, extra } of episode.steps) {
    // Of the calls of one turn only the first has its extra.
    if (extra?.["turn"] === undefined || extra["turn"] !== turn) current = extra?.[key];
    turn = extra?.["turn"];
    if (current !== undefined) last.set(current, t);
  }
  let t: number | undefined;
  return nodes.map(({ id }) => (t = last.get(id) ?? t));
}
