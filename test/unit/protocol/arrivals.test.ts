import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { connect, type Connection, RequestError } from "../../../src/protocol/connection.ts";
import { FROM_DASHBOARD } from "../../../src/protocol/dashboard-checks.ts";
import type { DashboardHost, DashboardView } from "../../../src/protocol/dashboard.ts";
import { FROM_REPLAY } from "../../../src/protocol/replay-checks.ts";
import type { ReplayHost, ReplayView } from "../../../src/protocol/replay.ts";
import { FROM_REVIEW } from "../../../src/protocol/review-checks.ts";
import type { ReviewHost, ReviewView } from "../../../src/protocol/review.ts";
import { FROM_TRAINING } from "../../../src/protocol/training-checks.ts";
import type { TrainingHost, TrainingView } from "../../../src/protocol/training.ts";

type Requests<Host extends ReplayHost | ReviewHost | TrainingHost | DashboardHost> = {
  readonly [M in keyof Host["requests"]]: Host["requests"][M] extends { params: infer P } ? P : never;
};

/** One message of each name that a view sends, with every optional field. */
const REPLAY: Requests<ReplayHost> = {
  open: {},
  readEpisode: { index: 0 },
  stepContext: { index: 1, t: 2 },
  signals: { index: 2 },
  judgeEpisode: { index: 3 },
  messages: { index: 3, t: 0, proposal: 1 },
  judgeStep: { index: 3, t: 0 },
  openSource: { skillId: "check_year", line: 4 },
  fillRun: { with: "openSample" },
  openLog: {},
  openHelp: { page: "replay", anchor: "why" },
  readNotes: {},
  addNote: { index: 0, t: 1, kind: "good", text: "as it should" },
  removeNote: { id: "n" },
  readFacets: { from: 0, count: 50, today: true },
  searchEpisodes: { query: "river", from: 0 },
  comparableRuns: {},
  compareRuns: { run: "file:///r", measured: false },
  comparableEpisodes: { index: 0 },
  compareEpisodes: { index: 0, other: { run: "file:///r", index: 1 } },
  stepCommand: { command: "debugPf", index: 0, t: 0, skillId: "check_year" },
  newSkillFromPattern: { pattern: "repeated_search", index: 0 },
  openEpisode: { run: "file:///r", index: 0, t: 0 },
};
const REVIEW: Requests<ReviewHost> = {
  open: {},
  readReview: { index: 0 },
  openFile: { file: "pf.ts", line: 1 },
  reviewAgain: {},
  showEvidence: {},
  openRaw: { index: 0 },
  openLog: {},
  openHelp: { page: "teacher" },
};
const TRAINING: Requests<TrainingHost> = {
  open: {},
  openRow: { card: 0, row: 9 },
  openSkillStep: { skill: 2, step: "worst" },
  writeFiles: {},
  change: {},
  openFolder: {},
  openFile: { card: 1 },
  openRaw: { card: 1 },
  showSignals: { card: 0, source: 3 },
  openRun: {},
  openEpisode: { id: "s1~branch-1", t: 0 },
  openPlace: { finding: 0, place: 2 },
  openLog: {},
  openHelp: { page: "training-data" },
};
const DASHBOARD: Requests<DashboardHost> = {
  open: {},
  show: { runs: ["file:///e1", "file:///j1"] },
  saveCsv: {},
  submit: {},
  runExperiment: {},
  openLog: {},
  openHelp: { page: "dashboard" },
};
const EVENTS: { [E in keyof ReplayView["events"]]: ReplayView["events"][E] } = {
  ready: null,
  position: { index: 0, t: 0 },
  followLive: { id: "e" },
  keep: { state: { filter: {}, mode: "steps" } },
};
const OPTIONAL = new Set([
  "openSource.line",
  "openHelp.anchor",
  "addNote.t",
  "addNote.text",
  "stepCommand.skillId",
  "newSkillFromPattern.index",
]);

let reached: [string, unknown][];
let posted: { kind: string; id: number; message?: string }[];
let refused: string[];
let arrive: (message: unknown) => void;

/** A host that notes what reaches it, behind the checks of one view. */
function listen(): void {
  const channel = {
    post: (message: unknown) => void posted.push(message as never),
    onMessage: (listener: (message: unknown) => void) => (arrive = listener),
  };
  const onRefused = (problem: string) => void refused.push(problem);
  const host: Connection<ReplayView, ReplayHost> = connect(channel, { checks: FROM_REPLAY, onRefused });
  for (const method of Object.keys(REPLAY) as (keyof typeof REPLAY)[])
    host.handle(method, async (params) => (reached.push([method, params]), null));
  for (const name of Object.keys(EVENTS) as (keyof typeof EVENTS)[])
    host.on(name, (payload) => void reached.push([name, payload]));
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const hostile = fc.anything({ withNullPrototype: true });

/** A message of the right name with one field gone, of another type, or one too many. */
const broken = fc
  .constantFrom(...Object.entries(REPLAY))
  .chain(([method, params]) =>
    fc.record({
      method: fc.constant(method),
      params: fc.constant(params as Record<string, unknown>),
      field: fc.constantFrom(...Object.keys(params), "__proto__", "constructor", "extra"),
      wrong: fc.constantFrom<unknown>(
        -1,
        0.5,
        NaN,
        2 ** 60,
        "x".repeat(100_001),
        [],
        [0],
        { a: 1 },
        null,
        () => 0,
      ),
    }),
  )
  .map(({ method, params, field, wrong }) => {
    const changed = JSON.parse(JSON.stringify(params)) as Record<string, unknown>;
    Object.defineProperty(changed, field, { value: wrong, enumerable: true, configurable: true });
    return { method, params: changed, field };
  });

beforeEach(() => {
  [reached, posted, refused] = [[], [], []];
  listen();
});

describe("A message from a view", () => {
  it.each(Object.entries(REPLAY))("reaches the handler of %s as it was sent", async (method, params) => {
    arrive({ kind: "request", id: 1, method, params });
    await settled();
    expect(reached).toEqual([[method, params]]);
    expect(posted).toEqual([{ kind: "result", id: 1, result: null }]);
  });

  it("may lack the fields that are optional, and no others", async () => {
    for (const [method, params] of Object.entries(REPLAY)) {
      for (const field of Object.keys(params)) {
        const { [field]: _gone, ...rest } = params as Record<string, unknown>;
        reached = [];
        arrive({ kind: "request", id: 1, method, params: rest });
        await settled();
        expect([method, field, reached.length]).toEqual([
          method,
          field,
          OPTIONAL.has(`${method}.${field}`) ? 1 : 0,
        ]);
      }
    }
  });

  it("is answered with the method and the field, logged, and reaches no handler where it does not fit", async () => {
    await fc.assert(
      fc.asyncProperty(broken, async ({ method, params, field }) => {
        [reached, posted, refused] = [[], [], []];
        arrive({ kind: "request", id: 7, method, params });
        await settled();
        expect(reached).toEqual([]);
        expect(posted).toMatchObject([{ kind: "failure", id: 7 }]);
        expect(refused).toEqual([posted[0]?.message]);
        expect(refused[0]).toContain(`"${method}"`);
        expect(refused[0]).toContain(`\`${field}\``);
      }),
      { numRuns: 500 },
    );
  });

  it("never throws, whatever it is, and leaves the connection as it was", async () => {
    const part = fc.oneof(hostile, fc.constantFrom<unknown>(...Object.keys(REPLAY), ...Object.keys(EVENTS)));
    const kind = fc.constantFrom<unknown>("request", "event", "cancel", "result", "failure", "__proto__", 3);
    const envelope = fc.record(
      { kind, id: fc.oneof(fc.nat(9), hostile), method: part, name: part, params: hostile, payload: hostile },
      { requiredKeys: ["kind"] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(hostile, envelope), async (message) => {
        [reached, posted] = [[], []];
        expect(() => arrive(message)).not.toThrow();
        await settled();
        const noFields = [
          "open",
          "openLog",
          "readNotes",
          "comparableRuns",
          "ready",
          "keep",
          "position",
          "followLive",
        ];
        expect(reached.filter(([name]) => !noFields.includes(name))).toEqual([]);
        arrive({ kind: "request", id: 99, method: "readEpisode", params: { index: 0 } });
        await settled();
        expect(posted.at(-1)).toEqual({ kind: "result", id: 99, result: null });
      }),
      { numRuns: 500 },
    );
  });

  it("is dropped where it is an event that does not fit", () => {
    for (const [name, payload] of Object.entries(EVENTS)) arrive({ kind: "event", name, payload });
    expect(reached).toEqual(Object.entries(EVENTS));
    reached = [];
    arrive({ kind: "event", name: "position", payload: { index: "0", t: 0 } });
    arrive({ kind: "event", name: "followLive", payload: {} });
    arrive({ kind: "event", name: "keep", payload: { state: "x".repeat(100_000) } });
    arrive({ kind: "event", name: "ready", payload: { now: true } });
    expect(reached).toEqual([]);
    expect(refused).toEqual([
      'The view\'s message "position" is refused: `index` must be a whole number from 0 on.',
      'The view\'s message "followLive" is refused: `id` must be a text.',
      'The view\'s message "keep" is refused: `state` has more than 100000 characters as JSON.',
      'The view\'s message "ready" is refused: the payload must be null.',
    ]);
  });

  it("is checked where it comes from the view of reviews, too", async () => {
    const answered: unknown[] = [];
    const channel = { post: () => undefined, onMessage: (listener: typeof arrive) => (arrive = listener) };
    const onRefused = (problem: string) => void refused.push(problem);
    const host: Connection<ReviewView, ReviewHost> = connect(channel, { checks: FROM_REVIEW, onRefused });
    for (const method of Object.keys(REVIEW) as (keyof typeof REVIEW)[])
      host.handle(method, async (params) => (answered.push(params), null));
    for (const [method, params] of Object.entries(REVIEW)) arrive({ kind: "request", id: 1, method, params });
    expect(answered).toEqual(Object.values(REVIEW));
    arrive({ kind: "request", id: 2, method: "openFile", params: { file: "../../.ssh/id" } });
    expect(answered).toHaveLength(Object.keys(REVIEW).length);
    expect(refused).toEqual([
      'The view\'s message "openFile" is refused: `file` must be one of SKILL.md, pf.ts, cases.yaml.',
    ]);
  });

  it("is checked where it comes from the dashboard, too", async () => {
    const answered: unknown[] = [];
    const channel = { post: () => undefined, onMessage: (listener: typeof arrive) => (arrive = listener) };
    const onRefused = (problem: string) => void refused.push(problem);
    const host: Connection<DashboardView, DashboardHost> = connect(channel, {
      checks: FROM_DASHBOARD,
      onRefused,
    });
    for (const method of Object.keys(DASHBOARD) as (keyof typeof DASHBOARD)[])
      host.handle(method, async (params) => (answered.push(params), null));
    for (const [method, params] of Object.entries(DASHBOARD))
      arrive({ kind: "request", id: 1, method, params });
    expect(answered).toEqual(Object.values(DASHBOARD));
    arrive({ kind: "request", id: 2, method: "show", params: { runs: "all" } });
    arrive({ kind: "request", id: 3, method: "show", params: { runs: ["a", 7] } });
    arrive({
      kind: "request",
      id: 4,
      method: "show",
      params: { runs: Array.from({ length: 1001 }, () => "") },
    });
    arrive({ kind: "request", id: 5, method: "saveCsv", params: { file: "/etc/passwd" } });
    expect(answered).toHaveLength(Object.keys(DASHBOARD).length);
    expect(refused).toEqual([
      'The view\'s message "show" is refused: `runs` must be a list.',
      'The view\'s message "show" is refused: `runs`[1] must be a text.',
      'The view\'s message "show" is refused: `runs` has more than 1000 entries.',
      'The view\'s message "saveCsv" is refused: the parameter has the unknown field `file`.',
    ]);
  });

  it("is checked where it comes from the view of training data, too", async () => {
    const answered: unknown[] = [];
    const channel = { post: () => undefined, onMessage: (listener: typeof arrive) => (arrive = listener) };
    const onRefused = (problem: string) => void refused.push(problem);
    const host: Connection<TrainingView, TrainingHost> = connect(channel, {
      checks: FROM_TRAINING,
      onRefused,
    });
    for (const method of Object.keys(TRAINING) as (keyof typeof TRAINING)[])
      host.handle(method, async (params) => (answered.push(params), null));
    for (const [method, params] of Object.entries(TRAINING))
      arrive({ kind: "request", id: 1, method, params });
    expect(answered).toEqual(Object.values(TRAINING));
    arrive({ kind: "request", id: 2, method: "openFile", params: { card: "../../.ssh/id" } });
    arrive({ kind: "request", id: 3, method: "openSkillStep", params: { skill: 0, step: "__proto__" } });
    arrive({ kind: "request", id: 4, method: "writeFiles", params: { folder: "/etc" } });
    expect(answered).toHaveLength(Object.keys(TRAINING).length);
    expect(refused).toEqual([
      'The view\'s message "openFile" is refused: `card` must be a whole number from 0 on.',
      'The view\'s message "openSkillStep" is refused: `step` must be one of best, worst.',
      'The view\'s message "writeFiles" is refused: the parameter has the unknown field `folder`.',
    ]);
  });

  it("rejects at the asker with the next step", async () => {
    const ends: ((message: unknown) => void)[] = [];
    const end = (mine: number) => ({
      post: (message: unknown) => ends[1 - mine]?.(structuredClone(message)),
      onMessage: (listener: (message: unknown) => void) => void (ends[mine] = listener),
    });
    connect<ReplayView, ReplayHost>(end(0), { checks: FROM_REPLAY, onRefused: () => undefined }).handle(
      "readEpisode",
      async () => null as never,
    );
    const asker = connect<ReplayHost, ReplayView>(end(1));
    const asked = asker.request("readEpisode", { index: -1 });
    await expect(asked).rejects.toBeInstanceOf(RequestError);
    await expect(asked).rejects.toMatchObject({ next: "Close this view and open it anew." });
  });
});
