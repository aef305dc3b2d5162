import type { Question } from "../harness/question.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { datasetsOf, runnableDomain } from "../domains/registry.ts";
import type { AnswerReading } from "../trace/formats/answers.ts";
import { type GivenVerdicts, readGivenVerdicts } from "../trace/given-verdicts.ts";
import { importRun, type ImportedRun, type ImportPorts } from "../trace/import-run.ts";
import type { TraceFiles } from "../trace/ports.ts";
import type { FollowedImport } from "./import-episodes.ts";
import { readNamed, type TextFiles } from "./named-text.ts";
import { readAnsweredQuestions } from "./answered-questions.ts";
import { checked, need, refuse, take } from "./refusal.ts";

/** `importRun` of an order: the domain and the questions that it names are looked up first. Rejects as `importRun` does. */
export function importOrdered(
  files: TraceFiles & TextFiles,
  ports: ImportPorts,
  { domain, verdicts: verdictFile, ...request }: FollowedImport,
): Promise<Checked<ImportedRun>> {
  return checked(async (found) => {
    const { questions } = request;
    const known =
      questions === undefined
        ? undefined
        : take(await readAnsweredQuestions(files, questions, datasetsOf(domain)), found);
    const answers = domain === undefined ? undefined : readingIn(domain, known);
    const verdicts = verdictFile === undefined ? undefined : await verdictsIn(files, verdictFile, found);
    const about = found.splice(0);
    return take(await importRun(files, ports, { ...request, answers, verdicts, verdictFile, about }), found);
  });
}

async function verdictsIn(files: TextFiles, file: string, found: Diagnostic[]): Promise<GivenVerdicts> {
  const { text } = need(await readNamed(files, file));
  return take(readGivenVerdicts(text, file), found);
}

function readingIn(name: string, questions: readonly Question[] | undefined): AnswerReading {
  const found = runnableDomain(name);
  if ("message" in found) return refuse("HASP528", found.message, found.next);
  const { actionTypes, finalAction, prompt, keys } = found.domain;
  return {
    domain: name,
    actionTypes,
    finalAction,
    parseReply: (text) => prompt.parseReply(text),
    questionKey: (text) => keys.question(text),
    questions: questions && new Map(questions.map((question) => [question.id, question])),
  };
}
