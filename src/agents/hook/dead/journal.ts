import { isRecord, asName, asRecord, type JsonRecord } from "../../../trace/formats/records.ts";
import { parseJson } from "../../../model/read-json.ts";
import { kindOf } from "../raw-event.ts";

/** What HASP answered about a call before it ran. */
export interface JudgedCall {
  readonly verdict: string;
  /** Where that is recorded; undefined while it is not in an episode. */
  readonly episode: string | undefined;
  /** 0-based. */
  readonly t: number | undefined;
}

/** What HASP's own record has of a session. */
export interface Journal {
  /** Calls that the host asked about, by their ids. */
  readonly calls: ReadonlyMap<string, JudgedCall>;
  /** Some event of the session came here. */
  readonly known: boolean;
  /** Its calls are recorded; without it (`record: false`, a deleted record), those that are not here may have been asked about. */
  readonly recorded: boolean;
  /** Since when sessions are recorded here, in milliseconds since 1970; undefined where none ever was. */
  readonly since: number | undefined;
}

export interface JournalReader {
  /** A `hook_answer` of an episode, or of one under way. */
  addDecision(episode: string, decision: unknown): void;
  /** A line of an episode under way. */
  addLiveLine(episode: string, text: string): void;
  /** An event that is answered and not recorded yet. */
  addLeft(event: unknown): void;
  /** Some episode of it cannot be read. */
  addUnreadable(): void;
  /** What one process leaves for the next. */
  addState(state: unknown): void;
  journal(since: number | undefined): Journal;
}

const isPre = (event: unknown): boolean => kindOf(asName(event)) === "pre";

/** Of the host's event as it came, in the words of either dialect. */
function callOf(raw: JsonRecord): string {
  return asName(raw["tool_use_id"]) || asName(raw["toolUseId"]);
}

export function journalReader(): JournalReader {
  const calls = new Map<string, JudgedCall>();
  let known = false;
  let recorded = false;
  let isWhole = true;
  /** The first answer is the one that counts: the same call may come twice. An episode says more than what is left beside it. */
  function add(id: string, call: JudgedCall): void {
    const before = calls.get(id);
    if (id !== "" && (before === undefined || before.episode === undefined)) calls.set(id, call);
  }
  function addDecision(episode: string, decision: unknown): void {
    known = true;
    recorded = true;
    const { part, t, value } = asRecord(decision);
    const answer = part === "hook_answer" ? asRecord(parseJson(asName(value))) : {};
    if (!isPre(answer["event"])) return;
    const verdict = asName(answer["verdict"]);
    add(asName(answer["toolUseId"]), { verdict, episode, t: typeof t === "number" ? t : undefined });
  }
  return {
    addDecision,
    addLiveLine: (episode, text) => addDecision(episode, asRecord(parseJson(text))["decision"]),
    addLeft(event) {
      known = true;
      const { text, named, verdict } = asRecord(event);
      const raw = asRecord(parseJson(asName(text)));
      if (!isPre(named ?? raw["hook_event_name"] ?? raw["hookEventName"])) return;
      add(callOf(raw), { verdict: asName(asRecord(verdict)["kind"]), episode: undefined, t: undefined });
    },
    addState(state) {
      if (!isRecord(state)) return;
      known = true;
      for (const answer of Array.isArray(state["answers"]) ? state["answers"] : []) {
        const { key, verdict } = asRecord(answer);
        if (asName(key).startsWith("pre:"))
          add(asName(key).slice("pre:".length), {
            verdict: asName(asRecord(verdict)["kind"]),
            episode: undefined,
            t: undefined,
          });
      }
    },
    addUnreadable() {
      known = true;
      isWhole = false;
    },
    journal: (since) => ({ calls, known, recorded: recorded && isWhole, since }),
  };
}

/** Whether an episode is one of this session: its own, one after its end (`+2`), or one of its subagents (`~agent`). */
export function isEpisodeOf(session: string, episode: string): boolean {
  return episode === session || (episode.startsWith(session) && /^[+~]/.test(episode.slice(session.length)));
}
