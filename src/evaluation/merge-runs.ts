import { noOutcomes } from "../model/outcomes.ts";
import { samplesOf, type Question } from "../harness/question.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { Outcome } from "../model/episode.ts";
import { parseEpisode } from "../trace/episode-file.ts";
import { episodeFingerprint } from "../trace/fingerprint.ts";
import { hashText } from "../trace/hash.ts";
import type { IndexEntry } from "../trace/index-sidecar.ts";
import { lineDiagnostic } from "../trace/line-diagnostics.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { createRun } from "../trace/create-run.ts";
import { contentOf } from "../trace/run-folder.ts";
import { runPaths } from "../trace/run-paths.ts";
import { datasetsOf } from "../domains/registry.ts";
import { decodeUtf8, MAX_LINE_BYTES } from "../trace/text-lines.ts";
import {
  coveredShards,
  finding,
  mergedSettings,
  missingShards,
  openInputs,
  type MergeInput,
} from "./merge-inputs.ts";
import { mergeLibraries, mergeMaterials, mergeMessages, referenceOf, type Reference } from "./merge-kept.ts";
import { parseQuestions } from "./questions.ts";
import type { NamedText } from "./run-inputs.ts";
import { inShard } from "./in-shard.ts";
import { addReplies, countReplies, NO_REPLIES, type ReplyCounts } from "../model/replies.ts";
import { sampleId } from "../model/sample.ts";
import { recordedSamples } from "../model/sampling.ts";
import { shardText } from "../model/shard.ts";

/** What a merge needs of the file system; `src/platform/new-folder.ts` adds the last to TraceFiles. */
export interface MergeFiles extends TraceFiles {
  /**
   * A folder as a whole or not at all: `fill` writes into a temporary one beside it, which is then renamed. Rejects where something
   * other than an empty folder stands at `path`.
   */
  newFolder(path: string, fill: (temporary: string) => Promise<void>): Promise<void>;
}

export interface MergeRequest {
  readonly folders: readonly string[];
  readonly output: string;
  /** The file with the questions in their order, where the caller has it; else the file that the runs name is read, where it is still the same. */
  readonly questions?: NamedText | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface MergedRun {
  readonly run: string;
  readonly episodes: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly replies: ReplyCounts;
  /** Episodes that stood in more than one run, and are kept once. */
  readonly repeated: number;
  /** `1/4` and so on; empty where a run asked all questions. */
  readonly shards: readonly string[];
  /** How the episodes are ordered. */
  readonly order: "questions" | "id";
}

/** Place of the chosen episode of a sample. Two readable lines of one sample have `content` and `bytesHash` to compare. */
interface Place extends Reference {
  readonly path: string;
  readonly entry: IndexEntry;
  readonly questionId: string;
  readonly sample: number;
  readonly replies: ReplyCounts;
  readonly content?: string;
  readonly bytesHash?: string;
}

interface Choice {
  /** By question and sample. */
  readonly places: Map<string, Place>;
  readonly diagnostics: Diagnostic[];
  repeated: number;
}

const LARGEST_QUESTIONS = 256 * 1024 * 1024;

/** The file that the runs were made from, where it is there and still the same. */
async function recordedText(
  files: TraceFiles,
  inputs: readonly MergeInput[],
): Promise<NamedText | undefined> {
  const named = inputs[0]?.run.settings?.questions;
  if (typeof named !== "object" || named === null || !("file" in named && "hash" in named)) return undefined;
  const path = String(named.file);
  const size = (await files.stat(path).catch(() => undefined))?.size ?? 0;
  if (size === 0 || size > LARGEST_QUESTIONS) return undefined;
  const text = await files.read(path, 0, size).then(
    (bytes) => decodeUtf8([bytes]),
    () => "",
  );
  return hashText(text) === named.hash ? { file: path, text } : undefined;
}

/** The questions in their order, as the domain of the runs reads them; no value where nobody knows them. */
async function questionsOf(
  files: TraceFiles,
  { questions: given }: MergeRequest,
  inputs: readonly MergeInput[],
): Promise<Checked<readonly Question[]>> {
  const named = given ?? (await recordedText(files, inputs));
  if (named === undefined) return { value: undefined, diagnostics: [] };
  const read = parseQuestions(named.text, named.file, datasetsOf(inputs[0]?.run.domain));
  // What is wrong in the file that the runs name was said when they were made.
  return given === undefined ? { ...read, diagnostics: [] } : read;
}

function conflict(one: Place, other: Place): Diagnostic {
  return lineDiagnostic({
    code: "HASP555",
    file: other.path,
    line: other.entry.line,
    message: `sample ${one.sample} of the question ${JSON.stringify(one.questionId)} has another episode in ${one.path}, line ${one.entry.line + 1}.`,
    next: "Decide which run counts and leave the other out, or delete one of the two lines.",
  });
}

/** Of two episodes of one sample: the same content counts once, and which of its lines does not depend on the order. */
function choose(choice: Choice, place: Place): void {
  const key = sampleId(place.questionId, place.sample);
  const known = choice.places.get(key);
  if (known === undefined) return void choice.places.set(key, place);
  if (known.content !== place.content) return void choice.diagnostics.push(conflict(known, place));
  choice.repeated++;
  if ((place.bytesHash ?? "") < (known.bytesHash ?? "")) choice.places.set(key, place);
}

/** The ids of questions of which several lines may hold one sample: the head of a `hasp.episode/1` line lacks the sample. */
function repeatedIds(inputs: readonly MergeInput[]): ReadonlySet<string> {
  const seen = new Map<string, Set<number | undefined>>();
  const again = new Set<string>();
  for (const { head } of inputs.flatMap(({ index }) => index.entries)) {
    const { questionId, sample } = head;
    const samples = seen.get(questionId) ?? new Set();
    if (samples.has(sample) || samples.has(undefined) || (sample === undefined && samples.size > 0))
      again.add(questionId);
    seen.set(questionId, samples.add(sample));
  }
  return again;
}

/** Reads every episode once, to know that it is one; only those of which there are several are compared. */
async function choosePlaces(
  files: TraceFiles,
  inputs: readonly MergeInput[],
  { signal, onProgress }: MergeRequest,
): Promise<Choice> {
  const choice: Choice = { places: new Map(), diagnostics: [], repeated: 0 };
  const again = repeatedIds(inputs);
  const total = inputs.reduce((sum, { index }) => sum + index.entries.length, 0);
  let done = 0;
  for (const { index, folder } of inputs) {
    choice.diagnostics.push(...index.diagnostics);
    for (const entry of index.entries) {
      signal?.throwIfAborted();
      const text = decodeUtf8([
        await files.read(index.path, entry.offset, Math.min(entry.bytes, MAX_LINE_BYTES)),
      ]);
      const { value, diagnostics } = parseEpisode(text, index.path, entry.line);
      choice.diagnostics.push(...diagnostics);
      const compared = value !== undefined && again.has(value.questionId);
      const known = compared ? { content: episodeFingerprint(value), bytesHash: hashText(text) } : {};
      if (value !== undefined)
        choose(choice, {
          ...referenceOf(folder, value),
          path: index.path,
          entry,
          replies: countReplies(value.steps),
          ...known,
        });
      onProgress?.(++done, total);
    }
  }
  return choice;
}

/** The chosen lines in the order of the questions, others after them by id; the samples of a question in their order. */
function inOrder(choice: Choice, questions: readonly Question[] | undefined): Place[] {
  const turn = new Map(questions?.map(({ id }, i) => [id, i]));
  const turnOf = ({ questionId }: Place): number => turn.get(questionId) ?? turn.size;
  return [...choice.places.values()].toSorted(
    (a, b) =>
      turnOf(a) - turnOf(b) ||
      (a.questionId === b.questionId ? a.sample - b.sample : a.questionId < b.questionId ? -1 : 1),
  );
}

/** A warning where samples of the questions of these shards have no episode. */
function unanswered(
  inputs: readonly MergeInput[],
  choice: Choice,
  questions: readonly Question[],
  output: string,
): Diagnostic[] {
  const shards = coveredShards(inputs);
  const limits = inputs.map(({ run }) => run.settings?.limit);
  const limit = limits.every((one) => typeof one === "number") ? Math.max(...limits) : undefined;
  const samples = Math.max(...inputs.map(({ run }) => recordedSamples(run.settings)));
  const asked = questions
    .slice(0, limit)
    .filter((one) => shards.length === 0 || shards.some((shard) => inShard(one, shard)));
  const left = samplesOf(asked, samples).filter(
    ({ question, sample }) => !choice.places.has(sampleId(question.id, sample)),
  );
  const [first] = left;
  if (first === undefined) return [];
  const { question, sample } = first;
  const message =
    samples === 1
      ? `${left.length} questions have no episode, e.g. ${JSON.stringify(question.id)}.`
      : `${left.length} samples of questions have no episode, e.g. ${JSON.stringify(sampleId(question.id, sample))}.`;
  const next =
    "Resume the runs that lack them and merge again, or go on with the merged run by `hasp run --resume`.";
  return [finding("HASP557", output, message, next, "warning")];
}

async function* linesOf(
  files: TraceFiles,
  places: readonly Place[],
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (const { path, entry } of places) {
    signal?.throwIfAborted();
    yield await files.read(path, entry.offset, entry.bytes);
    yield Uint8Array.of(10);
  }
}

/** Writes the merged run. Answers with a warning for what an input lacks. */
async function write(
  files: MergeFiles,
  request: MergeRequest,
  inputs: readonly MergeInput[],
  places: readonly Place[],
): Promise<readonly Diagnostic[]> {
  const { output, signal } = request;
  const name = output.split(/[/\\]/).findLast((part) => part !== "" && part !== ".") ?? output;
  const [first] = inputs;
  const createdAt = inputs.map(({ run }) => run.createdAt).toSorted()[0] ?? "";
  const lacking: Diagnostic[] = [];
  await files.newFolder(output, async (temporary) => {
    await createRun(files, temporary, {
      id: name,
      title: name,
      domain: first?.run.domain ?? "",
      createdAt,
      source: "hasp",
      settings: mergedSettings(inputs),
    });
    await files.writeAtomic(runPaths(temporary).episodes, linesOf(files, places, signal));
    lacking.push(...(await mergeMessages(files, temporary, places, signal)));
    const folders = inputs.map(({ folder }) => folder);
    lacking.push(...(await mergeLibraries(files, temporary, folders, places)));
    await mergeMaterials(files, temporary, folders);
  });
  return lacking;
}

function summaryOf(
  inputs: readonly MergeInput[],
  choice: Choice,
  output: string,
  byQuestions: boolean,
): MergedRun {
  const outcomes = noOutcomes();
  for (const { entry } of choice.places.values()) outcomes[entry.head.outcome]++;
  return {
    run: output,
    episodes: choice.places.size,
    outcomes,
    replies: [...choice.places.values()].reduce((all, { replies }) => addReplies(all, replies), NO_REPLIES),
    repeated: choice.repeated,
    shards: coveredShards(inputs).map(shardText),
    order: byQuestions ? "questions" : "id",
  };
}

/**
 * Makes one run folder of the runs of several shards: each sample of a question once, in the order of the questions file where it is
 * known, else by id, with the messages that these episodes refer to and the texts of all libraries. The result is the same to the
 * byte in whatever order the runs are named, is there as a whole or not at all, and leaves the runs as they are. Holds one episode at
 * a time, and where each and each message stands. Without a value where the runs do not fit together (HASP551
 * to 555, 558) or the file that was given holds no questions (HASP542); a line that is no episode is reported and kept out. Rejects on I/O errors and on abort.
 */
export async function mergeRuns(files: MergeFiles, request: MergeRequest): Promise<Checked<MergedRun>> {
  const { folders, output } = request;
  if ((await contentOf(files, output)) !== undefined) {
    const taken = finding(
      "HASP558",
      output,
      `${output} is not empty.`,
      "Name a new folder for the merged run.",
    );
    return { value: undefined, diagnostics: [taken] };
  }
  const { inputs, diagnostics: found } = await openInputs(files, folders);
  if (found.length > 0) return { value: undefined, diagnostics: found };
  const choice = await choosePlaces(files, inputs, request);
  if (choice.diagnostics.some(({ code }) => code === "HASP555"))
    return { value: undefined, diagnostics: choice.diagnostics };
  const { value: questions, diagnostics: ofQuestions } = await questionsOf(files, request, inputs);
  if (questions === undefined && request.questions !== undefined)
    return { value: undefined, diagnostics: ofQuestions };
  const lacking = await write(files, request, inputs, inOrder(choice, questions));
  const diagnostics = [
    ...ofQuestions,
    ...choice.diagnostics,
    ...lacking,
    ...missingShards(inputs, output),
    ...(questions === undefined ? [] : unanswered(inputs, choice, questions, output)),
  ];
  return { value: summaryOf(inputs, choice, output, questions !== undefined), diagnostics };
}
