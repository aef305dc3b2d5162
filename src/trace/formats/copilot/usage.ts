import type { Usage } from "../../../model/usage.ts";
import { sumOfUsages, tokensOf } from "../counts.ts";
import { asRecord, asText, type JsonRecord } from "../records.ts";
import type { Event } from "./event.ts";
import { type Session, talkerOf } from "./session.ts";

export function usageIn(row: JsonRecord, ledger: Session["ledger"]): Usage | undefined {
  const inputTokens = tokensOf(row, ["inputTokens"], ledger);
  const outputTokens = tokensOf(row, ["outputTokens"], ledger);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const cached = tokensOf(row, ["cacheReadTokens"], ledger) ?? 0;
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    // Tokens of the cache are part of the input, whichever vendor's model answered.
    ...(cached > 0 && cached <= (inputTokens ?? 0) && { cachedInputTokens: cached }),
  };
}

/** What a reply used, told before or after its message; told twice, it counts once. */
export function readUsage({ ledger }: Session, { type, at, talker }: Event, row: JsonRecord): void {
  ledger.mapped(`events ${type}`, "usage and cost");
  const usage = usageIn(row, ledger);
  if (usage === undefined) return;
  const id = asText(row["apiCallId"]);
  if (id !== undefined) {
    talker.usages.set(id, usage);
    if (talker.last?.apiCallId === id) talker.last.usage = usage;
    return;
  }
  talker.usages.set(`event ${at}`, usage);
  const { last } = talker;
  if (last === undefined || last.usage !== undefined) talker.usage = usage;
  else last.usage = usage;
}

/** The counts of the program at its end; of a session that was resumed, those of all of it. */
export function readShutdown(session: Session, { type, data, talker }: Event): void {
  const { ledger } = session;
  ledger.mapped(`events ${type}`, "cost, where no reply tells its usage");
  const agents = asRecord(data["agentMetrics"] ?? asRecord(data["accountingSnapshot"])["agentMetrics"]);
  for (const [key, metrics] of Object.entries(agents).slice(0, 10_000)) {
    const counted = countedIn(asRecord(metrics)["modelMetrics"], ledger);
    if (key === "main") talker.counted = counted;
    else if (session.talkers.has(key)) talkerOf(session, key).counted = counted;
  }
  if (Object.keys(agents).length === 0) talker.counted = countedIn(data["modelMetrics"], ledger);
}

function countedIn(models: unknown, ledger: Session["ledger"]): Usage | undefined {
  const all = Object.values(asRecord(models)).flatMap(
    (metrics) => usageIn(asRecord(asRecord(metrics)["usage"]), ledger) ?? [],
  );
  return sumOfUsages(all);
}
