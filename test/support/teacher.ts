import type { TeacherClient } from "../../src/harness/teacher.ts";

/** No site has a teacher. */
export const noTeacher: TeacherClient = { isThere: false, at: () => undefined };

/** A teacher that says the same at each site; where nothing is given for a site, it fails. Prompts go to `asked`. */
export function teacherSaying(
  replies: Readonly<Record<string, string>>,
  asked: { site: string; prompt: string }[] = [],
): TeacherClient {
  return {
    isThere: true,
    at: (site) => async (question) => {
      asked.push({ site, prompt: question.prompt });
      const reply = replies[site];
      const usage = { inputTokens: 10, outputTokens: 2 };
      return reply === undefined
        ? { site, ...question, error: `no reply to ${site}` }
        : { site, ...question, reply, usage };
    },
  };
}
