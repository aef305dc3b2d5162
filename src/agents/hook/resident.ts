import { isRecord } from "../../trace/formats/records.ts";
import { parseJson } from "../../model/read-json.ts";
import { answerHook } from "./handle.ts";
import { HOOK_HOSTS } from "./event.ts";
import type { HookPorts, HookReply, HookRequest } from "./visit.ts";

/** A request of `hasp hook` to the process that stays, as one line. */
function requestIn(line: string, root: string): HookRequest | undefined {
  const value = parseJson(line);
  if (!isRecord(value) || typeof value["text"] !== "string" || value["root"] !== root) return undefined;
  const host = HOOK_HOSTS.find((one) => one === value["host"]);
  if (host === undefined) return undefined;
  const { event, budgetMs, text, unattended } = value;
  return {
    host,
    text,
    unattended: unattended === true,
    event: typeof event === "string" ? event : undefined,
    budgetMs: typeof budgetMs === "number" ? budgetMs : undefined,
  };
}

const lineOf = ({ output }: HookReply): string =>
  JSON.stringify({ done: true, ...(output !== undefined && { output }) });

/**
 * The reply to one line, as one line: `{ done, output }`, where no output means that nothing goes out. It resolves as soon as the answer is
 * known; what follows is the record. Never rejects. `root`: the workspace that this process serves; a request for another gets no answer.
 */
export function answerLine(
  line: string,
  root: string,
  ports: Omit<HookPorts, "elapsed" | "reply">,
  onTrouble: (words: string) => void,
): { readonly reply: Promise<string>; readonly recorded: Promise<void> } {
  const request = requestIn(line, root);
  if (request === undefined) {
    const reply = Promise.resolve(JSON.stringify({ error: "no request of hasp hook for this workspace" }));
    return { reply, recorded: Promise.resolve() };
  }
  const began = performance.now();
  let recorded = Promise.resolve();
  const reply = new Promise<string>((resolve) => {
    const answered = answerHook(request, {
      ...ports,
      elapsed: () => performance.now() - began,
      reply: (answer) => resolve(lineOf(answer)),
    });
    recorded = answered.then(({ trouble }) => {
      if (trouble !== undefined) onTrouble(trouble);
    });
  });
  return { reply, recorded };
}
