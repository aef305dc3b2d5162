import { detectorsOf } from "../../domains/detectors/detectors.ts";
import { domainOfRecord } from "../../domains/registry.ts";
import {
  FAILURE_DETECTORS,
  NEW_CATEGORY_FROM,
  SAME_PATTERN_FROM,
  type FailureCluster,
  type FailureDetector,
  type FailureExample,
  type FailureGroup,
  type FailureSummary,
  type FoundFailure,
  type KnownSkill,
} from "../../model/failure.ts";
import { jaccard, wordsOf } from "../../model/words.ts";
import { DETECTOR_PATTERNS } from "./detector-patterns.ts";
import { GROUP_WORDS, groupsOf, nearestGroup } from "./groups.ts";

/** The clusters that are large enough, and how many others there are. */
export interface Clustering {
  readonly clusters: readonly FailureCluster[];
  readonly small: number;
}

/** A pattern with the failures that show it. */
interface Pattern extends Pick<
  FailureCluster,
  "id" | "source" | "category" | "abstraction" | "trigger" | "hint" | "group"
> {
  readonly examples: readonly FailureExample[];
}

const wordSet = (...texts: readonly string[]): ReadonlySet<string> => new Set(wordsOf(texts.join(" ")));

function exampleOf(failure: FoundFailure, steps: readonly number[]): FailureExample {
  const { run, index, episodeId, questionId, question, length } = failure;
  const last = length === 0 ? [] : [length - 1];
  return { run, index, episodeId, questionId, question, steps: steps.length === 0 ? last : [...steps] };
}

/** One pattern for each detector: its words are fixed, so those of a category are all alike. */
function detectorPatterns(found: readonly FoundFailure[]): Pattern[] {
  return FAILURE_DETECTORS.flatMap((name): Pattern[] => {
    const showing = found.flatMap((failure) => {
      const shows = failure.detected.find((one) => one.name === name);
      return shows === undefined ? [] : [{ failure, shows }];
    });
    const [first] = showing;
    if (first === undefined) return [];
    const examples = showing.map(({ failure, shows }) => exampleOf(failure, shows.steps));
    const pattern = first.shows.pattern ?? DETECTOR_PATTERNS[name];
    return [{ id: `detector:${name}`, source: "detector", category: name, examples, ...pattern }];
  });
}

interface Alike {
  readonly summary: FailureSummary;
  readonly words: ReadonlySet<string>;
  readonly first: FoundFailure;
  readonly failures: Set<FoundFailure>;
}

/** The same for any order of the runs, so that patterns are named alike. */
const byPlace = (a: FoundFailure, b: FoundFailure): number =>
  compare(a.episodeId, b.episodeId) || compare(a.run, b.run) || a.index - b.index;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A summary joins the pattern of its category that it is most like, and begins one where none is like enough. */
function join(patterns: Alike[], failure: FoundFailure, summary: FailureSummary): void {
  const words = wordSet(summary.abstraction, summary.trigger);
  const shares = patterns.map((pattern) => ({ pattern, share: jaccard(words, pattern.words) }));
  const nearest = shares.reduce<(typeof shares)[number] | undefined>(
    (best, one) => (best === undefined || one.share > best.share ? one : best),
    undefined,
  );
  if (nearest === undefined || nearest.share < SAME_PATTERN_FROM)
    patterns.push({ summary, words, first: failure, failures: new Set([failure]) });
  else nearest.pattern.failures.add(failure);
}

const isDetector = (category: string): category is FailureDetector =>
  Object.hasOwn(DETECTOR_PATTERNS, category);

/** The group of a summary of failures of a domain, the first of which is given. */
function groupOf({ category, abstraction, trigger }: FailureSummary, first: FoundFailure): FailureGroup {
  const domain = domainOfRecord({ domain: first.domain, actionTypes: [] });
  const groups = groupsOf(domain);
  if (isDetector(category)) {
    const { group } = detectorsOf(domain)[category]?.pattern ?? DETECTOR_PATTERNS[category];
    if (groups.includes(group)) return group;
  }
  return nearestGroup(wordSet(category, abstraction, trigger), groups);
}

function modelPatterns(found: readonly FoundFailure[]): Pattern[] {
  const categories = new Map<string, Alike[]>();
  for (const failure of found.toSorted(byPlace)) {
    if (failure.summary === undefined) continue;
    const { category } = failure.summary;
    const patterns = categories.get(category) ?? [];
    categories.set(category, patterns);
    join(patterns, failure, failure.summary);
  }
  return [...categories].flatMap(([category, patterns]) =>
    patterns.map(({ summary, first, failures }, i): Pattern => ({
      id: i === 0 ? `model:${category}` : `model:${category}:${i + 1}`,
      source: "model",
      category,
      abstraction: summary.abstraction,
      trigger: summary.trigger,
      hint: summary.intervention_hint,
      group: groupOf(summary, first),
      examples: found.filter((failure) => failures.has(failure)).map((failure) => exampleOf(failure, [])),
    })),
  );
}

/** 1 − the greatest token-Jaccard of category, abstraction and trigger with a group or a skill, in [0, 1] (SPEC §7, readings). */
export function noveltyOf(
  { category, abstraction, trigger }: Pick<FailureCluster, "category" | "abstraction" | "trigger">,
  known: readonly KnownSkill[],
): number {
  const words = wordSet(category, abstraction, trigger);
  const skills = known.map((skill) => wordSet(skill.category, skill.description));
  return 1 - Math.max(...[...Object.values(GROUP_WORDS), ...skills].map((other) => jaccard(words, other)));
}

const newFirst = (a: FailureCluster, b: FailureCluster): number =>
  Number(b.isNewCategory) - Number(a.isNewCategory) ||
  b.examples.length - a.examples.length ||
  compare(a.id, b.id);

/**
 * Puts failures that are alike together (SPEC §7 B): those of one detector, and, apart from them, those that a model describes in one
 * category and in much the same words. A failure may be in several clusters, once in each. The order of `found` decides on the order of
 * examples alone. Asks no model.
 */
export function clusterFailures(
  found: readonly FoundFailure[],
  known: readonly KnownSkill[],
  { minClusterSize }: { readonly minClusterSize: number },
): Clustering {
  const patterns = [...detectorPatterns(found), ...modelPatterns(found)];
  const large = patterns.filter(({ examples }) => examples.length >= minClusterSize);
  const clusters = large.map((pattern): FailureCluster => {
    const novelty = noveltyOf(pattern, known);
    return {
      ...pattern,
      examples: [...pattern.examples],
      novelty,
      isNewCategory: novelty >= NEW_CATEGORY_FROM,
    };
  });
  return { clusters: clusters.toSorted(newFirst), small: patterns.length - large.length };
}
