/**
 * The replay's engine in a process of its own, so that its memory can be told from the bench's: the fixture page, and the
 * protocol behind it, answered by the parts that the extension answers with. `node replay-server.mjs <root> <script of the page>`,
 * then its port comes on stdout.
 */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import { json, text } from "node:stream/consumers";
import { contextRulesOf, domainNames } from "../../src/domains/registry.ts";
import { openReplayJudge, type ReplayJudge } from "../../src/app/judge-replay.ts";
import { answerSearch } from "../../src/extension/replay/search.ts";
import type { Episode } from "../../src/model/episode.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { startCompiler } from "../../src/platform/worker-compiler.ts";
import { startSearcher } from "../../src/platform/worker-search.ts";
import { startPfHost } from "../../src/platform/worker-pf-host.ts";
import { connect, type Channel } from "../../src/protocol/connection.ts";
import type { ReplayHost, ReplayView } from "../../src/protocol/replay.ts";
import { readSkillFolder, type SkillFolder } from "../../src/skill/read-skill.ts";
import { changedKeys, contextAt } from "../../src/trace/context-at.ts";
import { readEpisode } from "../../src/trace/episode-file.ts";
import { openRun, type OpenedRunFolder } from "../../src/trace/run-folder.ts";
import { PAPER } from "../support/shipped.ts";

const [root = ".", pageScript = ""] = process.argv.slice(2);
const files = nodeFiles();
const workerFile = path.join(root, "dist/hasp.cjs");
const compiler = startCompiler({ workerFile });
const searcher = startSearcher({ workerFile });

const POLICY =
  "default-src 'none'; script-src 'nonce-fixture'; style-src 'self'; style-src-attr 'unsafe-inline'; font-src 'self'; img-src data:; connect-src 'self'";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".ttf": "font/ttf",
};

async function shippedSkills(): Promise<readonly SkillFolder[]> {
  return Promise.all(PAPER.map((folder) => readSkillFolder(files, compiler, path.join(root, folder))));
}

/** What the extension's session is, without VS Code (src/extension/replay/session.ts). */
function openSession(folder: string, skills: readonly SkillFolder[], channel: Channel): () => Promise<void> {
  const connection = connect<ReplayView, ReplayHost>(channel);
  const host = startPfHost({ workerFile });
  let run: Promise<OpenedRunFolder> | undefined;
  let judge: Promise<ReplayJudge> | undefined;
  let latest: { index: number; episode: Promise<Episode> } | undefined;
  const read = (): Promise<OpenedRunFolder> => (run ??= openRun(files, folder));

  async function readAt(index: number): Promise<Episode> {
    const { value } = await readEpisode(files, (await read()).index, index);
    if (value === undefined) throw new Error(`Episode ${index + 1} cannot be read.`);
    return value;
  }
  function episodeAt(index: number): Promise<Episode> {
    if (latest?.index !== index) latest = { index, episode: readAt(index) };
    return latest.episode;
  }
  const judged = (): Promise<ReplayJudge> => (judge ??= openReplayJudge(skills, host, compiler));

  connection.handle("open", async () => {
    const { run: about, title, index, diagnostics } = await read();
    const active = skills.flatMap(({ skill, program }) =>
      skill === undefined || program === undefined ? [] : [{ skillId: skill.skillId, title: skill.title }],
    );
    const episodes = index.entries.map(({ head }) => head);
    return {
      run: about,
      title,
      episodes,
      diagnostics,
      skills: active,
      libraryNotice: undefined,
      domains: domainNames(),
    };
  });
  connection.handle("readEpisode", ({ index }) => episodeAt(index));
  connection.handle("stepContext", async ({ index, t }) => {
    const episode = await episodeAt(index);
    const rules = contextRulesOf(episode.facts.domain);
    const context = contextAt(episode, t, rules);
    return { context, changed: t === 0 ? [] : changedKeys(contextAt(episode, t - 1, rules), context) };
  });
  connection.handle("judgeEpisode", async ({ index }) => {
    const episode = await episodeAt(index);
    return (await judged()).marks(episode);
  });
  connection.handle("judgeStep", async ({ index, t }) => {
    const episode = await episodeAt(index);
    return (await judged()).step(episode, t);
  });
  answerSearch(connection, async () => (await read()).index, searcher);
  connection.handle("readNotes", async () => ({ notes: [], diagnostics: [] }));
  return () => host.close();
}

/** Posts from the page go in; an answer goes out as the response to the request that it answers. */
function pageChannel() {
  const listeners: ((message: unknown) => void)[] = [];
  const waiting = new Map<unknown, ServerResponse>();
  const idOf = (message: unknown): unknown =>
    typeof message === "object" && message !== null && "id" in message ? message.id : undefined;
  const channel: Channel = {
    post(message) {
      const response = waiting.get(idOf(message));
      waiting.delete(idOf(message));
      response?.end(JSON.stringify([message]));
    },
    onMessage: (listener) => listeners.push(listener),
  };
  const take = (message: unknown, response: ServerResponse): void => {
    const isRequest =
      typeof message === "object" && message !== null && "kind" in message && message.kind === "request";
    if (isRequest) waiting.set(idOf(message), response);
    else response.end("[]");
    for (const listener of listeners) listener(message);
  };
  return { channel, take };
}

async function serve(): Promise<void> {
  const [script, skills] = await Promise.all([readFile(pageScript), shippedSkills()]);
  let page = pageChannel();
  let close = async (): Promise<void> => {};

  async function staticFile(pathname: string): Promise<string | Buffer> {
    if (pathname === "/dist/webview/fixture.js") return script;
    const file = pathname.endsWith("codicon.ttf") ? "dist/webview/codicon.ttf" : pathname.slice(1);
    return readFile(path.join(root, file));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname === "/talk") return page.take(await json(request), response);
    if (pathname === "/open") {
      await close();
      page = pageChannel();
      close = openSession(await text(request), skills, page.channel);
      return void response.end();
    }
    if (pathname === "/memory") {
      global.gc?.();
      return void response.end(JSON.stringify(process.memoryUsage()));
    }
    const content = await staticFile(pathname);
    response.writeHead(200, {
      "content-type": TYPES[path.extname(pathname)] ?? "application/octet-stream",
      "content-security-policy": POLICY,
    });
    response.end(content);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) console.log(address.port);
  });
}

await serve();
