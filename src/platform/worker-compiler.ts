import { createHash } from "node:crypto";
import type { SkillCase } from "../model/case.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { Compiler } from "../skill/compiler.ts";
import { UNKNOWN_EFFECTS } from "../skill/prompt-effects.ts";
import { sourceText } from "../skill/source-text.ts";
import { casesTooComplex, tooComplex } from "../skill/too-complex.ts";
import { leashedWorker, type Outcome } from "./leashed-worker.ts";
import { variables } from "./surroundings.ts";
import type { CompilerWorkerContract } from "./worker-contract.ts";
import { openWorker } from "./worker-thread.ts";

type Requests = CompilerWorkerContract["requests"];
type Method = Exclude<keyof Requests, "ready" | "loadTypes">;
type Excess = Exclude<Outcome<unknown>, { readonly kind: "answer" }>;

/** Seconds of processor time that one file may take, unless HASP_COMPILER_SECONDS says otherwise. A hundred times what a large PF takes. */
const FILE_SECONDS = 5;
/** Megabytes of heap; a library of a hundred skills takes a quarter of it (test/bench/library.mts). */
const HEAP_MB = 640;
/** Of a file that was stopped, the next text has this part of the time: whoever types in it must not stop the others each time. */
const SUSPECT_SHARE = 0.2;
/** Texts of which it is known that they exceed a limit. */
const MOST_STOPPED = 1_000;

/** Requests that share their limits: a text that exceeds one for the first exceeds it for the others, since each begins with parsing. */
const WORK: Readonly<Record<Method, "types" | "syntax" | "cases">> = {
  check: "types",
  transpile: "syntax",
  instrument: "syntax",
  promptEquivalence: "syntax",
  parseCases: "cases",
};

function limitMs(): number {
  const given = Number(variables()["HASP_COMPILER_SECONDS"]);
  return 1_000 * (given > 0 ? given : FILE_SECONDS);
}

/** Texts and files that exceeded a limit. */
function stoppedTexts() {
  const texts = new Map<string, Excess>();
  const suspects = new Set<string>();
  const textKey = (work: string, source: string): string =>
    `${work} ${createHash("sha256").update(source).digest("base64")}`;
  return {
    /** The earlier outcome of this very text. */
    find(work: string, source: string): Excess | undefined {
      if (texts.size === 0) return undefined;
      return (
        texts.get(textKey(work, source)) ??
        (work === "types" ? texts.get(textKey("syntax", source)) : undefined)
      );
    },
    isSuspect: (work: string, file: string): boolean => suspects.has(`${work} ${file}`),
    add(work: string, file: string, source: string, excess: Excess): void {
      const oldest = texts.keys().next().value;
      if (texts.size >= MOST_STOPPED && oldest !== undefined) texts.delete(oldest);
      texts.set(textKey(work, source), excess);
      suspects.add(`${work} ${file}`);
    },
    clear: (work: string, file: string): void => void suspects.delete(`${work} ${file}`),
  };
}

/**
 * The Compiler of the product: TypeScript in a worker, which starts with the first request and ends with `close`. Each file has a limit
 * of time and memory: one that exceeds it is answered with a diagnostic (HASP220), and the others go on in a new worker. The same text
 * is not tried again.
 */
export function startCompiler(options: {
  readonly workerFile: string;
  /** Milliseconds of processor time a file. */
  readonly fileMs?: number;
  readonly heapMb?: number;
}): Compiler {
  const worker = leashedWorker(() =>
    openWorker<CompilerWorkerContract>(options.workerFile, "compiler", { heapMb: options.heapMb ?? HEAP_MB }),
  );
  const stopped = stoppedTexts();
  const fileMs = options.fileMs ?? limitMs();

  async function ask<M extends Method>(
    method: M,
    file: string,
    source: string,
    otherwise: (excess: Excess) => Requests[M]["result"],
  ): Promise<Requests[M]["result"]> {
    const work = WORK[method];
    const known = stopped.find(work, source);
    if (known !== undefined) return otherwise(known);
    const outcome = await worker.ask({
      method,
      params: { file, source },
      after: work === "types" ? "loadTypes" : "ready",
      subject: `${work} ${source}`,
      limitMs: fileMs * (stopped.isSuspect(work, file) ? SUSPECT_SHARE : 1),
    });
    if (outcome.kind === "answer") {
      stopped.clear(work, file);
      return outcome.value;
    }
    stopped.add(work, file, source, outcome);
    return otherwise(outcome);
  }

  return {
    domains: async () => (await import("../domains/registry.ts")).allDomains(),
    check: (file, source) => ask("check", file, source, (excess) => [excessOf(file, source, excess)]),
    transpile: (file, source) =>
      ask("transpile", file, source, (excess) => nothing(excessOf(file, source, excess))),
    instrument: (file, source) =>
      ask("instrument", file, source, (excess) => nothing(excessOf(file, source, excess))),
    promptEquivalence: (file, source) => ask("promptEquivalence", file, source, () => UNKNOWN_EFFECTS),
    parseCases: (file, source) =>
      ask("parseCases", file, source, (excess): Checked<readonly SkillCase[]> =>
        nothing(casesTooComplex(file, sourceText(source), limitOf(excess))),
      ),
    close: () => worker.close(),
  };
}

const limitOf = (excess: Excess): "time" | "memory" | "failure" =>
  excess.kind === "failed" ? "failure" : excess.limit;

const nothing = (diagnostic: Diagnostic): Checked<never> => ({ value: undefined, diagnostics: [diagnostic] });

function excessOf(file: string, source: string, excess: Excess): Diagnostic {
  const detail = excess.kind === "failed" ? excess.message : undefined;
  return tooComplex(file, sourceText(source), limitOf(excess), detail);
}
