import { ModelError, type ChatModel, type ChatReply } from "../llm/chat-model.ts";
import type { TeacherCall } from "../model/intervention.ts";
import type { Usage } from "../model/usage.ts";
import { isSiteOn, surfacesOf, type Control } from "../model/control.ts";
import { unlessAborted } from "./deadline.ts";

/** Sites of the harness itself; those of skills are `pf.<skill_id>` and `handler.<skill_id>` (SPEC §4, "17 sites"). */
export const HARNESS_SITES = [
  "difficulty_gate",
  "pf_selector",
  "answer_format",
  "retry",
  "search_snippet",
] as const;

export type TeacherSite = (typeof HARNESS_SITES)[number] | `pf.${string}` | `handler.${string}`;

/** One question for the teacher. */
export type TeacherQuestion = Pick<TeacherCall, "prompt" | "maxTokens" | "temperature">;

/** Asks, and answers with the whole account: the reply, or why there is none. Rejects only with the signal's reason on abort. */
export type AskSite = (question: TeacherQuestion) => Promise<TeacherCall>;

/** The one way to the teacher within an episode. */
export interface TeacherClient {
  /** False: no site will ever be answered. */
  readonly isThere: boolean;
  /** Undefined where there is no teacher for this site: the site then takes its code path. */
  at(site: TeacherSite): AskSite | undefined;
}

export interface TeacherDesk {
  readonly model: ChatModel | undefined;
  readonly control: Control;
  readonly signal: AbortSignal;
  /** Hides secrets in what the teacher says. */
  readonly redact: (text: string) => string;
  /** Hears of what each call used. */
  readonly spend: (usage: Usage) => void;
}

function spent({ usage }: ChatReply, startedAt: number): Usage {
  return { ...usage, latencyMs: usage.latencyMs ?? performance.now() - startedAt };
}

/** Every call of an episode's teacher goes through here, and is recorded with its site, tokens, cost and latency. */
export function teacherClient({ model, control, signal, redact, spend }: TeacherDesk): TeacherClient {
  return {
    isThere: model !== undefined && surfacesOf(control).teacher,
    at(site) {
      if (model === undefined || !isSiteOn(control, site)) return undefined;
      return async ({ prompt, maxTokens, temperature }) => {
        // Recorded as asked: a PF that waits runs again and finds the reply by its question.
        const asked = { site, prompt, maxTokens, temperature };
        const request = {
          messages: [{ role: "user" as const, content: prompt }],
          maxTokens: Math.min(maxTokens, control.teacherMaxTokens),
          temperature,
        };
        const startedAt = performance.now();
        try {
          const reply = await unlessAborted(signal, () => model.chat(request, { signal }));
          const usage = spent(reply, startedAt);
          spend(usage);
          return { ...asked, reply: redact(reply.text), usage };
        } catch (error) {
          if (!(error instanceof ModelError)) throw error;
          if (error.usage !== undefined) spend(error.usage);
          return {
            ...asked,
            error: redact(error.message),
            ...(error.usage !== undefined && { usage: error.usage }),
          };
        }
      };
    },
  };
}
