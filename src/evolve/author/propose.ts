import type { Judging } from "../../app/ports.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../../llm/chat-model.ts";
import { isClean, type Diagnostic } from "../../model/diagnostic.ts";
import { EVOLVE_LIMITS, type EvolveMode } from "../../model/evolution.ts";
import type { Review } from "../../model/review.ts";
import { copiedQuestions } from "../refusals/copied-texts.ts";
import { authorRequest, repairRequest, requestOf, revisionRequest } from "./author-prompt.ts";
import { copiedExample, copiedPrompt } from "./copied-example.ts";
import type { AuthorReply, AuthorTask, ProposedFiles, Proposal } from "./author-task.ts";
import { checkDraft, namedDraft, type CheckedDraft, type NamedDraft } from "./draft-skill.ts";
import { parseProposal, withoutReasoning } from "./parse-proposal.ts";

/** Services of a proposal besides its author. */
export interface AuthorTools extends Pick<Judging, "compiler" | "startHost"> {
  /** Of the proposals; each is checked as if it were at `<folder>/<candidate>/<domain>/<name>`. Nothing is written. */
  readonly folder: string;
  readonly mode: EvolveMode;
  readonly signal?: AbortSignal;
  readonly on?: (event: AuthorEvent) => void;
}

export type AuthorEvent =
  /** The author is asked; `repair` is 0 for the first request, -1 for a revision. */
  | { readonly kind: "asking"; readonly id: string; readonly repair: number }
  /** The reply was checked; the number of errors in it. */
  | { readonly kind: "checked"; readonly id: string; readonly errors: number };

/** One reply, read and checked. */
interface Answered {
  readonly reply: AuthorReply;
  readonly draft: (NamedDraft & CheckedDraft & { readonly folder: string }) | undefined;
}

/**
 * Has a model write a skill for a group of failures (SPEC §7 C). While our checks find errors in it, the model is shown them and writes it again, at
 * most twice. After a copy of the example or of the prompt (HASP858) it is asked without the example, and after a second copy no more. Writes
 * nothing; equal replies give an equal proposal. Rejects with ModelError, and with the signal's reason.
 */
export async function proposeSkill(
  task: AuthorTask,
  author: ChatModel,
  tools: AuthorTools,
): Promise<Proposal> {
  const first = authorRequest(task);
  const short = authorRequest(task, "short");
  const answers: Answered[] = [];
  let begin = first;
  let request = first;
  for (let repair = 0; repair <= EVOLVE_LIMITS.repairs; repair++) {
    tools.on?.({ kind: "asking", id: task.id, repair });
    const answered = await answer(request, author, subjectOf(task), tools);
    answers.push(answered);
    const { text, diagnostics, finish } = answered.reply;
    if (isClean(diagnostics)) break;
    if (isCopy(diagnostics)) {
      // Equal requests are answered from the cache.
      if (begin === short) break;
      begin = short;
      request = short;
      continue;
    }
    const reply = withoutReasoning(text).trim() || "(no reply)";
    request = repairRequest(begin, reply, diagnostics, finish === "length");
  }
  return proposalOf({ id: task.id, domain: task.domain.name, messages: first.messages }, answers);
}

/**
 * One more try with the teacher's words: one reply. Where it has no files, the result has none. Rejects as `proposeSkill`.
 */
export async function reviseSkill(
  proposal: Proposal,
  review: Review,
  author: ChatModel,
  tools: AuthorTools & { readonly questions?: readonly string[]; readonly sample?: number },
): Promise<Proposal> {
  const first = requestOf(proposal.messages, tools.sample);
  tools.on?.({ kind: "asking", id: proposal.id, repair: -1 });
  const request = revisionRequest(first, withoutReasoning(proposal.completion).trim(), review);
  const about = { id: proposal.id, domain: proposal.domain, questions: tools.questions ?? [] };
  const answered = await answer(request, author, about, tools);
  return { ...proposalOf(proposal, [answered]), replies: [...proposal.replies, answered.reply] };
}

/** The candidate that a reply is about. */
interface Subject {
  readonly id: string;
  readonly domain: string;
  /** Questions that the author read: none may be in the skill. */
  readonly questions: readonly string[];
}

const subjectOf = ({ id, domain, examples }: AuthorTask): Subject => ({
  id,
  domain: domain.name,
  questions: examples.map(({ question }) => question),
});

async function answer(
  request: ChatRequest,
  author: ChatModel,
  subject: Subject,
  tools: AuthorTools,
): Promise<Answered> {
  const { signal, on } = tools;
  signal?.throwIfAborted();
  const reply = await author.chat(request, signal === undefined ? {} : { signal });
  // A model may answer although it was told to stop: what was cancelled has no result.
  signal?.throwIfAborted();
  const answered = await checkedReply(request, reply, subject, tools);
  const errors = answered.reply.diagnostics.filter(({ severity }) => severity === "error").length;
  on?.({ kind: "checked", id: subject.id, errors });
  return answered;
}

async function checkedReply(
  { messages }: ChatRequest,
  { text, finish, usage }: ChatReply,
  { id, domain, questions }: Subject,
  { folder: root, mode, ...judging }: AuthorTools,
): Promise<Answered> {
  const parsed = parseProposal(text, finish === "length");
  const files = wholeOf(parsed.files);
  const replyOf = (diagnostics: readonly Diagnostic[]): AuthorReply => ({
    messages,
    text,
    finish,
    diagnostics,
    usage,
  });
  const repeated = copiedPrompt(messages, text, parsed.files);
  if (files === undefined || repeated.length > 0)
    return { reply: replyOf([...repeated, ...parsed.diagnostics]), draft: undefined };
  const named = namedDraft(files);
  const folder = `${root}/${id}/${domain}/${named.name}`;
  const draft = await checkDraft(named, folder, mode, judging);
  const copied = copiedQuestions(named.files, folder, questions);
  // Fixes are for people in an editor, and long.
  const found = draft.diagnostics.map(({ fixes: _, ...told }) => told);
  const diagnostics = [...copiedExample(named.files), ...parsed.diagnostics, ...found, ...copied];
  return { reply: replyOf(diagnostics), draft: { ...named, ...draft, folder } };
}

function wholeOf({
  "SKILL.md": skillMd,
  "pf.ts": pf,
  "cases.yaml": cases,
}: ReturnType<typeof parseProposal>["files"]): ProposedFiles | undefined {
  if (skillMd === undefined || pf === undefined) return undefined;
  return { "SKILL.md": skillMd, "pf.ts": pf, ...(cases !== undefined && { "cases.yaml": cases }) };
}

const isCopy = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ code }) => code === "HASP858");

/** The last reply with files counts, one of the author's own before a copy; else the last reply. */
function proposalOf(
  { id, domain, messages }: Pick<Proposal, "id" | "domain" | "messages">,
  answers: readonly Answered[],
): Proposal {
  const drafted = answers.filter(({ draft }) => draft !== undefined);
  const own = drafted.findLast(({ reply }) => !isCopy(reply.diagnostics));
  const taken = own ?? drafted.at(-1) ?? answers.at(-1);
  const skill = taken?.draft?.skill;
  return {
    id,
    domain,
    messages,
    completion: taken?.reply.text ?? "",
    replies: answers.map(({ reply }) => reply),
    files: taken?.draft?.files,
    folder: taken?.draft?.folder,
    skillId: skill?.skillId,
    name: taken?.draft?.name,
    errorCategory: skill?.errorCategory,
    diagnostics: taken?.reply.diagnostics ?? [],
  };
}
