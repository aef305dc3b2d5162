import type { ActingLibrary } from "./library.ts";
import { change, type Turn } from "./turn.ts";
import type { HookVerdict } from "./verdict.ts";

/** A text that the person reads once in a session. */
interface Notice {
  /** Tells it from others; another content of the workspace is another notice. */
  readonly key: string;
  readonly text: string;
}

const NAMED = 5;

function listed(names: readonly string[]): string {
  return `${names.slice(0, NAMED).join(", ")}${names.length > NAMED ? ", …" : ""}`;
}

function untrustedNotice({ untrusted }: ActingLibrary): Notice[] {
  if (untrusted === undefined) return [];
  const { own, hash } = untrusted;
  const what = own.length === 0 ? "hook settings" : `${own.length} skill${own.length === 1 ? "" : "s"}`;
  const names = own.length === 0 ? "" : ` (${listed(own)})`;
  const text = `HASP: this workspace has ${what} of its own${names} that do not act until you say yes: hasp hook trust`;
  return [{ key: `untrusted ${hash}`, text }];
}

function leftOutNotice({ leftOut }: ActingLibrary): Notice[] {
  if (leftOut.length === 0) return [];
  const names = leftOut.map(({ skillId }) => skillId);
  const why = leftOut.slice(0, NAMED).map(({ skillId, reason }) => `${skillId} ${reason}`);
  const text = `HASP: ${names.length === 1 ? "a skill of this workspace is" : `${names.length} skills of this workspace are`} left out: ${why.join("; ")}. The others act. See hasp hook status.`;
  return [{ key: `left out ${names.join(" ")}`, text }];
}

function unreadNotice({ unread }: ActingLibrary): Notice[] {
  if (unread === undefined) return [];
  const text = `HASP: the skills of this workspace do not act, for they ${unread}. The shipped ones do. See hasp hook status.`;
  return [{ key: `unread ${unread}`, text }];
}

/** Adds what the person has not read yet in this session, where the host can show it. */
export function withNotices(turn: Turn, verdict: HookVerdict): HookVerdict {
  if (!turn.adapter.abilities(turn.event.kind).tell) return verdict;
  const { library, state } = turn;
  const notices = [...untrustedNotice(library), ...leftOutNotice(library), ...unreadNotice(library)];
  const fresh = notices.filter(({ key }) => !state.noticed.includes(key));
  if (fresh.length === 0) return verdict;
  change(turn, { noticed: [...state.noticed, ...fresh.map(({ key }) => key)] });
  return { ...verdict, tell: fresh.map(({ text }) => text).join(" ") };
}
