import { findInEpisode } from "../../src/model/episode-hit.ts";
import { pfFacets } from "../../src/model/pf-facet.ts";
import { textQuery } from "../../src/model/text-query.ts";
import { connect, RequestError, type Channel, type Connection } from "../../src/protocol/connection.ts";
import { unpackContext } from "../../src/protocol/context-changes.ts";
import { readPrompt } from "../../src/protocol/read-prompt.ts";
import type { ReplayHost, ReplayView } from "../../src/protocol/replay.ts";
import { hostOver, type Host } from "../shared/host.ts";
import type { PageData } from "./page-data.ts";

type Requests = ReplayHost["requests"];
type Answers = {
  readonly [M in keyof Requests]: (
    params: Requests[M]["params"],
  ) => Requests[M]["result"] | Promise<Requests[M]["result"]>;
};

const OPEN_STUDIO = "Open the run in HASP Studio for that.";

function notHere(what: string): () => never {
  return () => {
    throw new RequestError(`An exported page cannot ${what}.`, OPEN_STUDIO);
  };
}

/** The value, or a failure that says what the page was written without. */
function held<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new RequestError(`This page was exported without ${what}.`, OPEN_STUDIO);
  return value;
}

/** What only a host that lives can do. */
const REFUSED = {
  openSource: notHere("open the source of a skill"),
  fillRun: notHere("run or import episodes"),
  openLog: notHere("show a log: it has none"),
  openHelp: notHere("open pages of help"),
  addNote: notHere("keep notes"),
  removeNote: notHere("remove notes"),
  compareRuns: notHere("compare runs"),
  compareEpisodes: notHere("compare episodes"),
  stepCommand: notHere("run a command on a step"),
  newSkillFromPattern: notHere("make skills"),
  openEpisode: notHere("open an episode of another run"),
};

function contextAnswer(page: PageData, index: number, t: number): Requests["stepContext"]["result"] {
  const { episode, contexts } = page.episode(index);
  return held(unpackContext(episode, contexts, t), `step ${t + 1}`);
}

/** Patterns as the page was written with; Program Functions as its episodes say. */
function facetsOf(
  page: PageData,
  { from, count, today }: Requests["readFacets"]["params"],
): Requests["readFacets"]["result"] {
  const patterns = held(page.run.patterns, "failure patterns").slice(from, from + count);
  return patterns.map((found, i) => {
    const { episode, judged } = page.episode(from + i);
    const facets = {
      index: from + i,
      patterns: found,
      recorded: pfFacets(episode.steps),
      sample: episode.sample,
    };
    if (!today) return facets;
    const steps = held(judged, "judgements").steps.filter(({ diverged }) => !diverged);
    const events = steps.map(({ t, pfs }) => ({ t, events: pfs.map(({ event }) => event) }));
    return { ...facets, today: pfFacets(events) };
  });
}

/** Episodes that one answer reads from the page: a moment's work. */
const SEARCH_PAGE = 20;
const MOST_PLACES = 1;

function search(page: PageData, { query: typed, from }: Requests["searchEpisodes"]["params"]) {
  const to = Math.min(from + SEARCH_PAGE, page.run.opened.episodes.length);
  const query = textQuery(typed);
  if (query === undefined) return { hits: [], to };
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  const hits = indexes.flatMap(
    (index) => findInEpisode(page.episode(index).episode, index, query, MOST_PLACES) ?? [],
  );
  return { hits, to };
}

function answersFrom(page: PageData): Answers {
  return {
    ...REFUSED,
    open: () => ({ ...page.run.opened, withoutHelp: true, isExported: true }),
    readEpisode: ({ index }) => page.episode(index).episode,
    stepContext: ({ index, t }) => contextAnswer(page, index, t),
    messages: ({ index, t, proposal }) =>
      readPrompt(page.episode(index).episode, { t, proposal }, async (id) => page.prompt(id)),
    signals: ({ index }) => held(page.episode(index).signals, "signals"),
    judgeEpisode: ({ index }) => held(page.episode(index).judged, "judgements of this episode").marks,
    judgeStep: ({ index, t }) => held(page.episode(index).judged?.steps[t], `a judgement of step ${t + 1}`),
    readNotes: () => ({ notes: page.run.notes, diagnostics: [] }),
    readFacets: (params) => facetsOf(page, params),
    searchEpisodes: (params) => search(page, params),
    comparableRuns: () => [],
    comparableEpisodes: () => [],
  };
}

/** Two ends of a channel inside one page. Messages are handed over as they are: an episode may be of many megabytes. */
function channelPair(): [Channel, Channel] {
  const listeners: [((message: unknown) => void)[], ((message: unknown) => void)[]] = [[], []];
  const end = (own: 0 | 1, other: 0 | 1): Channel => ({
    post: (message) => queueMicrotask(() => listeners[other].forEach((listener) => listener(message))),
    onMessage: (listener) => listeners[own].push(listener),
  });
  return [end(0, 1), end(1, 0)];
}

/** A host that answers from the page alone, and says so where it cannot. */
export function exportHost(page: PageData): { host: Host; extension: Connection<ReplayView, ReplayHost> } {
  const [view, far] = channelPair();
  const extension = connect<ReplayView, ReplayHost>(far);
  const answers = answersFrom(page);
  const serve = <M extends keyof Requests>(method: M, table: Pick<Answers, M>): void =>
    extension.handle(method, async (params) => table[method](params));
  for (const method of Object.keys(answers) as (keyof Requests)[]) serve(method, answers);
  return { host: hostOver(view), extension };
}
