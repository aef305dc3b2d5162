import { threadCpuNow } from "../../src/platform/cpu-clock.ts";
import { REGISTERED } from "../../src/domains/registered.ts";
import path from "node:path";
import type { Judging } from "../../src/app/ports.ts";
import { openLibrary, type Library } from "../../src/analysis/library.ts";
import type { ChatMessage } from "../../src/llm/chat-model.ts";
import type { Episode } from "../../src/model/episode.ts";
import { openContainment } from "../../src/platform/containment/open-containment.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { createPfHost } from "../../src/sandbox/create-pf-host.ts";
import type { PfHost } from "../../src/sandbox/pf-host.ts";
import { createSandbox } from "../../src/sandbox/quickjs-host.ts";
import { createChecker, type Checker } from "../../src/skill/checker.ts";
import { cachedCompiler } from "../../src/skill/cached-compiler.ts";
import type { Compiler } from "../../src/skill/compiler.ts";
import { instrument } from "../../src/skill/instrument.ts";
import { parseCases } from "../../src/skill/parse-cases.ts";
import { checkPf } from "../../src/skill/pf-rules.ts";
import { promptEquivalence } from "../../src/skill/prompt-equivalent.ts";
import { findSkillFolders, readSkillFolder, type SkillFolder } from "../../src/skill/read-skill.ts";
import { transpile } from "../../src/skill/transpile.ts";
import { readEpisodes } from "../../src/trace/episode-file.ts";
import { openMessages } from "../../src/trace/message-reader.ts";
import { openRun } from "../../src/trace/run-folder.ts";
import { paperSkill } from "./shipped.ts";

export const ROOT = path.resolve(import.meta.dirname, "../..");
/** Some of the shipped ones, which act on hasty agents. */
export const FEW_SKILLS = [
  "answer-confidence-guard",
  "format-extraction-error",
  "insufficient-exploration",
  "repeated-action",
  "retrieval-failure",
].map(paperSkill);
export const SAMPLE_SKILLS = "samples/skills";
export const SAMPLE_RUN = "samples/.hasp/runs/first-look";

let checker: Checker | undefined;

/** The real compiler in this thread; it reads no text twice. */
const compiler: Compiler = {
  ...cachedCompiler({
    domains: async () => REGISTERED,
    parseCases: async (file, text) => parseCases(text, file, REGISTERED),
    check: async (file, source) => checkPf((checker ??= createChecker(REGISTERED)), file, source, REGISTERED),
    transpile: async (file, source) => transpile(source, file),
    instrument: async (file, source) => instrument(source, file),
    promptEquivalence: async (file, source) => promptEquivalence(file, source),
    close: async () => undefined,
  }),
  close: async () => undefined,
};

/** The real compiler, one for all tests of a worker, and a real sandbox in this thread, for tests that do not look at the workers. */
export function openCore(): Omit<Judging, "files"> & { host: PfHost } {
  const host = createPfHost(createSandbox(threadCpuNow));
  return {
    compiler,
    host,
    openContainment,
    // The same sandbox for each use case of a test, which closes it at its end.
    startHost: () => ({ ...host, close: async () => undefined }),
  };
}

/** Skills under these folders of the repository; their files are named relative to it. */
export async function readFolders(compiler: Compiler, ...roots: readonly string[]): Promise<SkillFolder[]> {
  const files = nodeFiles();
  const inRepo: Parameters<typeof readSkillFolder>[0] = {
    readText: (file, most) => files.readText(path.resolve(ROOT, file), most),
    list: (folder) => files.list(path.resolve(ROOT, folder)),
  };
  const found = (await Promise.all(roots.map((root) => findSkillFolders(inRepo, root)))).flat();
  return Promise.all(found.map((folder) => readSkillFolder(inRepo, compiler, folder)));
}

export async function loadSkills(
  core: { compiler: Compiler; host: PfHost },
  ...roots: readonly string[]
): Promise<Library> {
  return openLibrary(await readFolders(core.compiler, ...roots), core.host);
}

/** The episodes of a run folder of the repository, in order. */
export async function episodesIn(run: string): Promise<Episode[]> {
  const files = nodeFiles();
  const { index } = await openRun(files, path.resolve(ROOT, run), { save: false });
  const episodes: Episode[] = [];
  for await (const { value } of readEpisodes(files, index)) if (value !== undefined) episodes.push(value);
  return episodes;
}

/** The messages that the model of an episode had read, by proposal; undefined where the run folder keeps none. */
export async function messagesRead(
  run: string,
  { steps }: Episode,
): Promise<(readonly ChatMessage[] | undefined)[]> {
  const kept = await openMessages(nodeFiles(), run);
  const ids = steps.flatMap(({ proposals }) => proposals.map(({ messages }) => messages));
  return Promise.all(ids.map(async (id) => (id === undefined ? undefined : kept.upTo(id))));
}
