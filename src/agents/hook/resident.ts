import { isRecord } from "../../trace/formats/records.ts";
import { answerHook, type HookPorts, type HookRequest } from "./handle.ts";
import { HOOK_HOSTS } from "./event.ts";

/** A request of `hasp hook` to the process that stays, as one line. */
function requestIn(line: string): HookRequest | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value) || typeof value["text"] !== "string") return undefined;
    const host = HOOK_HOSTS.find((one) => one === value["host"]);
    if (host === undefined) return undefined;
    const { event, budgetMs, text } = value;
    return {
      host,
      text,
      event: typeof event === "string" ? event : undefined,
      budgetMs: typeof budgetMs === "number" ? budgetMs : undefined,
    };
  } catch {
    return undefined;
  }
}

/** The reply to one line, as one line: `{ done, output }`, where no output means that nothing goes out. Never rejects. */
export async function answerLine(
  line: string,
  ports: Omit<HookPorts, "elapsed">,
  onTrouble: (words: string) => void,
): Promise<string> {
  const request = requestIn(line);
  if (request === undefined) return JSON.stringify({ error: "no request of hasp hook" });
  const began = performance.now();
  const { output, trouble } = await answerHook(request, {
    ...ports,
    elapsed: () => performance.now() - began,
  });
  if (trouble !== undefined) onTrouble(trouble);
  return JSON.stringify({ done: true, ...(output !== undefined && { output }) });
}
