/**
 * How often each web-search skill fires on questions of a data set, without a model: `hasp run` asks a loopback server that answers as
 * one of two fixed policies. Prints the table of docs/firing.md. Needs `npm run build`.
 *
 *   node test/bench/firing.mts --questions hotpot=hotpot.jsonl --questions musique=musique.json [--corpus musique=corpus.json]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { hasFired } from "../../src/model/pf-facet.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { readEpisodes } from "../../src/trace/episode-file.ts";
import { openRun } from "../../src/trace/run-folder.ts";
import { loopbackModel, type LoopbackRequest } from "../support/loopback-model.ts";
import { markdownTable, runHasp } from "../support/redrive.ts";

/** Words of the reader's second query. */
const QUERY_WORDS = 10;

/** `hasty` answers after one search; `reader` searches twice and opens the first document each time. Both answer with a title. */
type PolicyName = "hasty" | "reader";
const POLICIES: readonly PolicyName[] = ["hasty", "reader"];

interface Seen {
  readonly question: string;
  /** The policy's own replies. */
  readonly said: readonly string[];
  /** The latest message to the policy. */
  readonly latest: string;
  /** Titles of what was found or opened, oldest first. */
  readonly titles: readonly string[];
}

const bare = (title: string): string => title.replace(/\s*\([^)]*\)/g, "").trim();

/** The titles of a list of results, or the first line of a document that was opened. */
function titlesIn(message: string): readonly string[] {
  const listed = [...message.matchAll(/^(?:Observation: )?doc_\d+ {2}([^:\n]+):/gm)].map(
    ([, title]) => title ?? "",
  );
  const opened = /^Observation: (?!doc_\d|Could not|No )([^\n]+)\n/m.exec(message)?.[1];
  return opened === undefined ? listed : [opened];
}

function seenIn({ messages }: LoopbackRequest): Seen {
  const heard = messages.filter(({ role }) => role === "user").map(({ content }) => content);
  return {
    question: /^Question: (.*)$/m.exec(heard[0] ?? "")?.[1] ?? "",
    said: messages.filter(({ role }) => role === "assistant").map(({ content }) => content),
    latest: heard.at(-1) ?? "",
    titles: heard.slice(1).flatMap(titlesIn),
  };
}

/** The first title that the question does not name: a question asks for something else than it gives. */
function answerOf({ question, titles }: Seen): string {
  const names = titles.map(bare);
  return names.find((name) => !question.toLowerCase().includes(name.toLowerCase())) ?? names[0] ?? "unknown";
}

function nextQuery({ question, titles }: Seen): string {
  const title = bare(titles[0] ?? "");
  const words = question.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
  const rest = words.filter((word) => word.length > 3 && !title.includes(word));
  return [title, ...rest].join(" ").split(" ").slice(0, QUERY_WORDS).join(" ");
}

function actionOf(policy: PolicyName, seen: Seen): string {
  const { question, said, latest } = seen;
  const searches = said.filter((reply) => reply.includes("Action: SEARCH")).length;
  const final = `FINAL[${answerOf(seen)}]`;
  if (searches === 0) return `SEARCH[${question}]`;
  const isHeldBack = latest.startsWith("Your answer has not been given yet");
  if (policy === "hasty" || isHeldBack || latest.includes("This is your last step")) return final;
  if (/^(?:Observation: )?doc_0 {2}/m.test(latest)) return "READ[doc_0]";
  return searches < 2 ? `SEARCH[${nextQuery(seen)}]` : final;
}

interface Count {
  activations: number;
  questions: number;
}

/** Activations as SPEC §8 counts them: applied, overridden or noop. */
async function countIn(run: string): Promise<{ counts: Map<string, Count>; episodes: number }> {
  const counts = new Map<string, Count>();
  const { index } = await openRun(nodeFiles(), run, { save: false });
  for await (const { value } of readEpisodes(nodeFiles(), index)) {
    const fired = (value?.steps ?? [])
      .flatMap(({ events }) => events)
      .filter(({ status }) => hasFired(status));
    for (const { skillId } of fired) {
      const count = counts.get(skillId) ?? { activations: 0, questions: 0 };
      counts.set(skillId, { ...count, activations: count.activations + 1 });
    }
    for (const id of new Set(fired.map(({ skillId }) => skillId))) {
      const count = counts.get(id);
      if (count !== undefined) count.questions += 1;
    }
  }
  return { counts, episodes: index.entries.length };
}

const pairs = (texts: readonly string[]): [string, string][] =>
  texts.map((text) => [text.slice(0, text.indexOf("=")), path.resolve(text.slice(text.indexOf("=") + 1))]);

const { values } = parseArgs({
  options: {
    questions: { type: "string", multiple: true, default: [] },
    corpus: { type: "string", multiple: true, default: [] },
    limit: { type: "string", default: "100" },
    set: { type: "string", multiple: true, default: [] },
  },
});

const place = mkdtempSync(path.join(tmpdir(), "hasp-firing-"));
const model = await loopbackModel(({ request }) => {
  const policy = POLICIES.find((name) => name === request.model) ?? "reader";
  return {
    kind: "text",
    text: `Thought: The next thing to do.\nAction: ${actionOf(policy, seenIn(request))}`,
  };
});
try {
  const corpora = new Map(pairs(values.corpus));
  const columns: { name: string; counts: Map<string, Count>; episodes: number }[] = [];
  for (const [dataset, questions] of pairs(values.questions)) {
    const corpus = corpora.get(dataset);
    for (const policy of POLICIES) {
      const run = path.join(place, `${dataset}-${policy}`);
      const asked = ["--questions", questions, "--limit", values.limit, "--policy", `${model.url}#${policy}`];
      const searched = corpus === undefined ? [] : ["--corpus", corpus];
      const skills = ["--skills", "builtin:web-search", "--triggers", "paper", "--setting", "pf-only"];
      const settings = values.set.flatMap((setting) => ["--set", setting]);
      await runHasp(["run", ...asked, ...searched, ...skills, ...settings, "-o", run]);
      columns.push({ name: `${dataset}, ${policy}`, ...(await countIn(run)) });
    }
  }
  const ids = [...new Set(columns.flatMap(({ counts }) => [...counts.keys()]))];
  const total = (id: string): number =>
    columns.reduce((sum, { counts }) => sum + (counts.get(id)?.activations ?? 0), 0);
  const cells = (id: string): string[] =>
    columns.map(({ counts }) => {
      const { questions, activations } = counts.get(id) ?? { questions: 0, activations: 0 };
      return `${questions} (${activations})`;
    });
  const head = ["skill", ...columns.map(({ name, episodes }) => `${name} (${episodes})`)];
  const rows = ids
    .toSorted((a, b) => total(b) - total(a) || (a < b ? -1 : 1))
    .map((id) => [`\`${id}\``, ...cells(id)]);
  process.stdout.write(`${markdownTable([head, ...rows])}\n`);
} finally {
  await model.close();
  rmSync(place, { recursive: true, force: true });
}
