import { threadCpuNow } from "../../src/platform/cpu-clock.ts";
import { answerHook } from "../../src/agents/hook/handle.ts";
import type { HookPlace, HookReply } from "../../src/agents/hook/visit.ts";
import type { HookHost } from "../../src/agents/hook/event.ts";
import type { ActingLibrary, HookSkill } from "../../src/agents/hook/library.ts";
import type {
  HeldSession,
  LeftEvent,
  SessionState,
  SessionStore,
  WorldPort,
} from "../../src/agents/hook/session-store.ts";
import { judgeRecorded, type RecordedJudgement } from "../../src/analysis/judge.ts";
import type { Library } from "../../src/analysis/library.ts";
import { HOOK_DEFAULTS, type HookSettings } from "../../src/evaluation/hook-settings.ts";
import type { Episode } from "../../src/model/episode.ts";
import type { Skill } from "../../src/model/skill.ts";
import { createPfHost } from "../../src/sandbox/create-pf-host.ts";
import type { PfHost } from "../../src/sandbox/pf-host.ts";
import { createSandbox } from "../../src/sandbox/quickjs-host.ts";
import { foldLive } from "../../src/trace/live-fold.ts";

function skillOf(skillId: string, priority: number): Skill {
  return {
    skillId,
    name: skillId.replaceAll("_", "-"),
    description: "A skill for tests.",
    title: skillId,
    version: 1,
    priority,
    errorCategory: "test",
    applicableModes: ["coding-agent"],
    applicablePhases: [],
    systemSummary: "",
    phases: {},
    supersedes: [],
    body: "",
  };
}

function hookSkill(skillId: string, priority: number, body: string): HookSkill {
  const code = `import { ProgramFunction, modifyAction, injectContext, noop } from "hasp";\nexport default class Pf extends ProgramFunction {${body}}`;
  return {
    skill: skillOf(skillId, priority),
    program: { skillId, priority, file: `skills/coding-agent/${skillId}/pf.ts`, code },
    promptOnly: false,
  };
}

/** Three PFs: one rewrites and refuses commands and turns to other tools, one informs of edits, one holds the stop back. */
export const FAKE_SKILLS: readonly HookSkill[] = [
  hookSkill(
    "command_guard",
    0.9,
    `
  shouldActivate(ctx, type, arg) { return type === "Bash" && /--force|rm -rf|sed -i|BAD/.test(arg); }
  intervene(ctx, type, arg) {
    const input = JSON.parse(arg);
    const command = String(input.command);
    if (command.includes("rm -rf")) return modifyAction({ type: "REFUSE", arg: "The folder holds work that is not committed.", reason: "It deletes work." });
    if (command.includes("sed -i")) return modifyAction({ type: "Edit", arg: JSON.stringify({ path: "a.txt", oldText: "a", newText: "b" }), reason: "An edit can be seen." });
    if (command.includes("BAD")) return modifyAction({ arg: JSON.stringify({ command: 5 }), reason: "Broken on purpose." });
    return modifyAction({ arg: JSON.stringify({ ...input, command: command.replace("--force", "--force-with-lease") }), reason: "A force push can lose work." });
  }`,
  ),
  hookSkill(
    "edit_notes",
    0.5,
    `
  shouldActivate(ctx, type) { return type === "Edit" || type === "Write"; }
  intervene(ctx) { return injectContext("Edits so far: " + ctx.actionHistory.filter((a) => a.type === "Edit").length + ".", "An edit."); }`,
  ),
  hookSkill(
    "tests_first",
    0.4,
    `
  shouldActivate(ctx, type) {
    if (type !== "FINAL") return false;
    const edit = ctx.actionHistory.findLastIndex((a) => a.type === "Edit");
    const test = ctx.actionHistory.findLastIndex((a) => a.type === "Bash" && a.arg.includes("npm test"));
    return edit > test;
  }
  intervene() { return injectContext("No test has run since the last edit.", "Stops before the tests ran."); }`,
  ),
];

export function fakeLibrary(settings: Partial<HookSettings> = {}): ActingLibrary {
  const refs = FAKE_SKILLS.map(({ skill }) => ({ skillId: skill.skillId, version: 1, hash: "0" }));
  return {
    skills: FAKE_SKILLS,
    refs,
    settings: { ...HOOK_DEFAULTS, ...settings },
    own: new Set(),
    untrusted: undefined,
    leftOut: [],
  };
}

/** Sessions in memory. `busy`: another process is at work on every session. */
export function memorySessions() {
  const states = new Map<string, string>();
  const live = new Map<string, string[]>();
  const left = new Map<string, LeftEvent[]>();
  const finished: Episode[] = [];
  const taken = new Set<string>();
  const sessions = { store: undefined as unknown as SessionStore, states, live, left, finished, busy: false };
  const heldOf = (id: string): HeldSession => ({
    save: async (state) => void states.set(id, JSON.stringify(state)),
    append: async (episode, lines) => void live.set(episode, [...(live.get(episode) ?? []), ...lines]),
    finish: async (episode) => {
      const { value } = foldLive(live.get(episode) ?? [], episode);
      if (value !== undefined && value.steps.length > 0) finished.push(value);
      live.delete(episode);
    },
    left: async () =>
      (left.get(id) ?? []).map((event) => ({
        event,
        drop: async () =>
          void left.set(
            id,
            (left.get(id) ?? []).filter((one) => one !== event),
          ),
      })),
    release: () => void taken.delete(id),
  });
  sessions.store = {
    async take(id) {
      if (sessions.busy || taken.has(id)) return undefined;
      taken.add(id);
      return heldOf(id);
    },
    state: async (id) => {
      const text = states.get(id);
      return text === undefined ? undefined : (JSON.parse(text) as SessionState);
    },
    leave: async (id, event) =>
      void left.set(id, [...(left.get(id) ?? []), JSON.parse(JSON.stringify(event)) as LeftEvent]),
    hasLeft: async (id) => (left.get(id) ?? []).length > 0,
    lines: async (episode) => live.get(episode) ?? [],
    size: async (episode) => (live.get(episode) ?? []).join("\n").length,
    // Each session here was heard of a moment ago, or its state says when.
    idle: async (before) =>
      [...states].flatMap(([id, text]) => {
        const { started, answers } = JSON.parse(text) as SessionState;
        return started && (answers.at(-1)?.at ?? 0) < before ? [id] : [];
      }),
  };
  return sessions;
}

const NO_WORLD: WorldPort = {
  branch: async () => "main",
  file: async (_root, path) => ({ exists: path !== "missing.txt", text: "a a\nb" }),
};

export interface Bench {
  /** Sends one event; the answer as it goes out. */
  send(raw: unknown, host?: HookHost, event?: string): Promise<unknown>;
  /** `unattended`: the environment says so. */
  reply(raw: unknown, host?: HookHost, event?: string, unattended?: boolean): Promise<HookReply>;
  readonly sessions: ReturnType<typeof memorySessions>;
  /** Moves the clock. */
  wait(ms: number): void;
  /** The episode as it stands, and what was wrong with its lines. */
  episode(id: string): { readonly episode: Episode; readonly problems: readonly string[] };
  /** What today's dispatcher says of the record, with the same skills. */
  judged(id: string): Promise<readonly RecordedJudgement[]>;
}

let shared: Promise<PfHost> | undefined;

function fakeHost(): Promise<PfHost> {
  return (shared ??= (async () => {
    const host = createPfHost(createSandbox(threadCpuNow));
    await host.load(FAKE_SKILLS.map(({ program }) => program));
    return host;
  })());
}

const asLibrary = (): Library => ({
  skills: FAKE_SKILLS,
  active: FAKE_SKILLS.map(({ skill, program }) => ({
    skill,
    program,
    traits: { needsTeacher: false, maxFires: undefined, after: [], votes: false },
    source: program.code,
  })),
  kept: [],
  diagnostics: [],
});

/** A workspace with the fake skills, whose sessions live in memory. */
export function hookBench(settings: Partial<HookSettings> = {}, part: Partial<HookPlace> = {}): Bench {
  const sessions = memorySessions();
  let now = 1_000_000;
  const place: HookPlace = {
    root: "/repo/project",
    library: fakeLibrary(settings),
    store: sessions.store,
    world: NO_WORLD,
    project: async () => [{ kind: "test", command: "npm test" }],
    host: fakeHost,
    ...part,
  };
  const reply: Bench["reply"] = (raw, host = "claude-code", event, unattended) => {
    now += 10_000;
    const text = typeof raw === "string" ? raw : JSON.stringify(raw);
    return answerHook(
      { host, event, text, unattended },
      { place: async () => place, now: () => now, elapsed: () => 1 },
    );
  };
  return {
    reply,
    send: async (...args) => (await reply(...args)).output,
    sessions,
    wait: (ms) => void (now += ms),
    episode(id) {
      const { value, diagnostics } = foldLive(sessions.live.get(id) ?? [], id);
      if (value === undefined) throw new Error(`There is no episode ${id}.`);
      return { episode: value, problems: diagnostics.map(({ message }) => message) };
    },
    async judged(id) {
      const episode = sessions.finished.find((one) => one.id === id) ?? this.episode(id).episode;
      return judgeRecorded(episode, asLibrary(), await fakeHost());
    },
  };
}
