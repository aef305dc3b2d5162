import { cardTally, type CardTally, type CountedRow } from "../../dataset/card-tally.ts";
import { encodeRow, type Columns } from "../../dataset/encode-row.ts";
import { cardFiles, STEPS_FILE, TRAIN_FILES, TRAIN_KINDS, type TrainFile } from "../../model/train-data.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import { lineSink, type LineSink } from "./line-sink.ts";

/** One file of rows under way. */
export interface Output {
  readonly kind: TrainFile;
  readonly tally: CardTally;
  add(columns: Columns, row: CountedRow): Promise<void>;
}

/** The files of one build: all take their places at the end, or none does. */
export interface Outputs {
  file(kind: TrainFile): Output;
  has(kind: TrainFile): boolean;
  addStep(columns: Columns): Promise<void>;
  /** Adds a whole file, such as a card, under its name. Without a folder it is not written. */
  addFile(name: string, text: string): Promise<void>;
  /** Answers the paths of the files that are there now. Files of a build before that this one has not are removed. */
  commit(): Promise<readonly string[]>;
  discard(): Promise<void>;
}

/** Names of the files that a build of these kinds has not: those of a build before it would seem to belong to this one. */
function staleFiles(kinds: readonly TrainFile[], withSteps: boolean): readonly string[] {
  const others = TRAIN_KINDS.filter((kind) => !kinds.includes(kind));
  const names = others.flatMap((kind) => [TRAIN_FILES[kind].file, ...cardFiles(kind)]);
  return withSteps ? names : [...names, STEPS_FILE];
}

/** The files of a build. */
export interface OutputsOrder {
  readonly kinds: readonly TrainFile[];
  readonly withSteps: boolean;
  /** A kind without a row has an empty file, else none. */
  readonly allowEmpty: boolean;
}

/** Opens the files of these kinds in a folder; without a folder rows are counted and not written. */
export function openOutputs(
  files: TraceFiles,
  folder: string | undefined,
  { kinds, withSteps, allowEmpty }: OutputsOrder,
): Outputs {
  const sinkFor = (file: string, options?: { readonly mayBeEmpty: boolean }): LineSink | undefined =>
    folder === undefined ? undefined : lineSink(files, folder, file, options);
  const steps = withSteps ? sinkFor(STEPS_FILE) : undefined;
  const sinks = new Map(
    kinds.map((kind) => [kind, sinkFor(TRAIN_FILES[kind].file, { mayBeEmpty: allowEmpty })]),
  );
  const outputs = new Map(
    kinds.map((kind): [TrainFile, Output] => {
      const tally = cardTally();
      const add: Output["add"] = async (columns, row) => {
        tally.add(row);
        await sinks.get(kind)?.add(encodeRow(columns));
      };
      return [kind, { kind, tally, add }];
    }),
  );
  const all = [steps, ...sinks.values()].filter((sink) => sink !== undefined);
  const encoder = new TextEncoder();
  return {
    file(kind) {
      const output = outputs.get(kind);
      if (output === undefined) throw new Error(`${kind} is not being written`);
      return output;
    },
    has: (kind) => outputs.has(kind),
    async addStep(columns) {
      await steps?.add(encodeRow(columns));
    },
    async addFile(name, content) {
      const sink = sinkFor(name);
      if (sink === undefined) return;
      all.push(sink);
      await sink.add(encoder.encode(content));
    },
    async commit() {
      // A full disk shows before the first file takes its place.
      for (const sink of all) await sink.flush();
      const written: string[] = [];
      for (const sink of all) if (await sink.commit()) written.push(sink.path);
      for (const name of staleFiles(kinds, withSteps)) await files.remove(`${folder}/${name}`);
      return written;
    },
    async discard() {
      for (const sink of all) await sink.discard();
    },
  };
}
