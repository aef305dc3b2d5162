import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { EVERY_RECORD } from "./every-record.mts";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ModelOrder } from "../../src/app/run/models.ts";
import type { RunOrder } from "../../src/app/run/questions.ts";
import { controlOf } from "../../src/app/run/settings.ts";
import { webSearch } from "../../src/domains/web-search/web-search.ts";
import { evolve, type Evolved } from "../../src/evolve/evolve.ts";
import type { EvolveOrder, EvolveServices } from "../../src/evolve/order.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../../src/llm/chat-model.ts";
import { createRedactor } from "../../src/llm/redact.ts";
import type { Checked } from "../../src/model/diagnostic.ts";
import { DEFAULT_SAMPLING } from "../../src/model/sampling.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { environmentKeys } from "../../src/platform/env-keys.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { libraryFiles } from "../../src/platform/library-files.ts";
import { fileReplyCache } from "../../src/platform/reply-cache.ts";
import { sha256 } from "../../src/platform/sha256.ts";
import { systemTiming } from "../../src/platform/timing.ts";
import { openWebClient } from "../../src/platform/web-client.ts";
import { findSkillFolders, readSkillFolder } from "../../src/skill/read-skill.ts";
import { deedsUntil, mortal, type Boundary, type Deeds } from "./deeds.ts";
import { EVO, GENERATED } from "./evolve-scene.ts";
import { openRememberingCore } from "./remembering-core.ts";
import { play, writeWorld, type Role } from "./evolve-world.ts";
import type { LoopbackRequest } from "./loopback-model.ts";

/** What a sitting came to; `killedAt` where it did not come to its end. */
export interface Sitting {
  readonly killedAt: Boundary | undefined;
  readonly ended: Checked<Evolved> | undefined;
}

export interface SittingOptions {
  /** The sitting is killed at the first boundary that this names. */
  readonly isEnd?: (boundary: Boundary) => boolean;
  /** Ctrl-C. */
  readonly signal?: AbortSignal;
  readonly maxDollars?: number;
  /** Before a model answers; it fails with what is thrown here. */
  readonly beforeReply?: (role: Role, request: Pick<ChatRequest, "messages">) => void;
}

/** An evolution of the world of `evolve-world.ts`, in this process. */
export interface EvolveSittings {
  at(...names: string[]): string;
  /** Requests that a model answered, whether or not its reply arrived. */
  readonly asked: string[];
  /** Keys of the replies that were kept, in this order. */
  readonly kept: string[];
  /** US dollars of all that was asked. */
  readonly dollars: () => number;
  sit(options?: SittingOptions): Promise<Sitting>;
  /** Removes the evolution, its library and the replies that are kept. */
  startAnew(): void;
  close(): Promise<void>;
}

/** Episodes at once: so many requests can be in flight when a sitting is killed. */
export const WIDTH = 2;
/** Dollars for a million tokens, read or written; words are counted. */
const PRICE = 1_000;

const specOf = (role: Role): string => `vscode:test/${role}`;
const modelOf = (role: Role): ModelOrder => ({ spec: specOf(role), price: { input: PRICE, output: PRICE } });
const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

function orderIn(folder: string, maxDollars: number | undefined): EvolveOrder {
  const named = (name: string) => ({ name, path: path.join(folder, name) });
  const choice = {
    config: undefined,
    domain: webSearch,
    setting: "pf-only",
    by: "--setting",
    sets: [],
  } as const;
  const run: Omit<RunOrder, "folder" | "split" | "resume" | "maxDollars"> = {
    domain: webSearch,
    choice: controlOf(choice).value,
    remarks: [],
    policy: modelOf("policy"),
    teacher: undefined,
    sampling: DEFAULT_SAMPLING,
    tools: { retriever: "corpus", language: "en", concurrency: 0, topK: 5 },
    questions: named("questions.jsonl"),
    corpus: named("corpus.jsonl"),
    samples: 1,
    concurrency: WIDTH,
  };
  return {
    folder: path.join(folder, EVO),
    domain: webSearch,
    generated: path.join(folder, GENERATED),
    epochs: 2,
    mode: "full",
    gate: "strict",
    worth: false,
    caps: { candidates: 3, minClusterSize: 2, librarySize: 50 },
    rollouts: { kind: "live", run, prefilter: undefined },
    author: modelOf("author"),
    teacher: modelOf("teacher"),
    pinned: [],
    seed: 1,
    maxDollars,
  };
}

/** Names without what differs from one sitting to the next. */
const plainName = (folder: string, file: string): string =>
  path.relative(folder, file).replaceAll(/[0-9a-f]{8,}/g, "*");

/** What a model of that world says, and what it counts. */
function replyTo({ messages }: Pick<ChatRequest, "messages">): Pick<ChatReply, "text" | "usage"> {
  const said = play({ request: { messages } as LoopbackRequest });
  const text = said.kind === "text" ? said.text : "";
  const inputTokens = messages.reduce((sum, { content }) => sum + wordsIn(content), 0);
  const outputTokens = wordsIn(text);
  return { text, usage: { inputTokens, outputTokens, cost: ((inputTokens + outputTokens) * PRICE) / 1e6 } };
}

export function openEvolveSittings(questions: number): EvolveSittings {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "hasp-sittings-")));
  writeWorld(folder, questions);
  const core = openRememberingCore();
  const replies = fileReplyCache(path.join(folder, ".hasp/cache/replies"));
  const [asked, kept]: [string[], string[]] = [[], []];
  let dollars = 0;

  function modelWith(deeds: Deeds, { beforeReply }: SittingOptions, role: Role): ChatModel {
    return {
      id: specOf(role),
      chat: (request, { signal } = {}) =>
        deeds.do(`ask the ${role}`, async () => {
          beforeReply?.(role, request);
          signal?.throwIfAborted();
          const { text, usage } = replyTo(request);
          asked.push(JSON.stringify(request.messages));
          dollars += usage.cost ?? 0;
          return { text, usage, model: role, finish: "stop", cached: false };
        }),
    };
  }

  function servicesOf(deeds: Deeds, options: SittingOptions): EvolveServices {
    const nameOf = (file: string): string => plainName(folder, file);
    const files = mortal(nodeFiles(), deeds, {
      deeds: ["append", "writeAtomic", "makeFolder", "remove", "writeText", "create"],
      nameOf,
      // Elsewhere such files are left to `hasp gc`.
      isTorn: (name) => /^evo\/epoch_\d+\/[^/]+$/.test(name),
    });
    const shared = { keys: environmentKeys({}), redactor: createRedactor(), timing: systemTiming };
    const readSkills = async () => {
      const found = await findSkillFolders(files, path.join(folder, GENERATED));
      return Promise.all(found.map((one) => readSkillFolder(files, core.compiler, one)));
    };
    return {
      files,
      ...core,
      clock: systemClock,
      sha256,
      models: {
        ...shared,
        files,
        post: () => Promise.reject(new Error("No test asks the network.")),
        replyCache: {
          get: (key) => deeds.look(() => replies.get(key)),
          put: (key, text) =>
            deeds.do("keep a reply", () => replies.put(key, text).then(() => void kept.push(key))),
        },
        onCacheTrouble: (error) => {
          throw error;
        },
        isPlainHttpAllowed: () => false,
        pathOf: (name) => name,
        openEditorModel: async (_vendor, role) => modelWith(deeds, options, role as Role),
      },
      environment: { ...shared, openClient: openWebClient },
      readSkills,
      own: EVERY_RECORD,
      // What it writes goes through `files`.
      library: mortal(libraryFiles(files), deeds, { deeds: ["moveFolder", "removeFolder"], nameOf }),
      training: { redact: (text) => text, readNamed: () => Promise.reject(new Error("No file is named.")) },
      signal: options.signal ?? new AbortController().signal,
      stop: new AbortController().signal,
      on: () => undefined,
    };
  }

  return {
    at: (...names) => path.join(folder, ...names),
    asked,
    kept,
    dollars: () => dollars,
    async sit(options = {}) {
      const deeds = deedsUntil(options.isEnd ?? (() => false));
      const evolving = evolve(orderIn(folder, options.maxDollars), servicesOf(deeds, options));
      const ended = await evolving.catch((error: unknown) => {
        if (deeds.killedAt === undefined) throw error;
        return undefined;
      });
      return { killedAt: deeds.killedAt, ended };
    },
    startAnew() {
      for (const name of [EVO, "skills", ".hasp"])
        rmSync(path.join(folder, name), { recursive: true, force: true });
      [asked.length, kept.length, dollars] = [0, 0, 0];
    },
    async close() {
      await core.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
