import type { ToolCall } from "../turn.ts";

/** A call while its span and its result are looked for. */
export interface OpenCall {
  id: string | undefined;
  name: string;
  args: unknown;
  extra: Record<string, unknown> | undefined;
  /** A span told it. */
  hasSpan: boolean;
  answered: boolean;
  /** Which of the calls of its turn it is. */
  place: number;
}

export function openCall({ id, name, args }: ToolCall): OpenCall {
  return { id, name, args, extra: undefined, hasSpan: false, answered: false, place: 0 };
}

/** Calls that wait, first come, first served; taking one does not move the others. */
class Queue {
  readonly #calls: OpenCall[] = [];
  #from = 0;

  add(call: OpenCall): void {
    this.#calls.push(call);
  }

  first(waits: (call: OpenCall) => boolean): OpenCall | undefined {
    for (; this.#from < this.#calls.length; this.#from++) {
      const call = this.#calls[this.#from];
      if (call !== undefined && waits(call)) return call;
    }
    return undefined;
  }
}

/** The calls of one conversation, by id and by name. */
export class CallBook {
  readonly #byId = new Map<string, OpenCall>();
  readonly #byName = new Map<string, Queue>();
  readonly #all = new Queue();

  /** A later call of the same id takes the place of the earlier one: some providers count anew with each reply. */
  add(call: OpenCall): void {
    if (call.id !== undefined) this.#byId.set(call.id, call);
    const named = this.#byName.get(call.name) ?? new Queue();
    this.#byName.set(call.name, named);
    named.add(call);
    this.#all.add(call);
  }

  /** Another id of the call: some instrumentations name it otherwise where it was made than where it is repeated. */
  alias(id: string, call: OpenCall): void {
    this.#byId.set(id, call);
  }

  byId(id: string): OpenCall | undefined {
    return this.#byId.get(id);
  }

  /** The call that a tool's span tells: by its id, else the first of that name; each is told once. */
  forSpan(id: string | undefined, name: string): OpenCall | undefined {
    const known = id === undefined ? undefined : this.#byId.get(id);
    if (known !== undefined) return known.hasSpan ? undefined : known;
    const call = this.#byName.get(name)?.first(({ hasSpan, answered }) => !hasSpan && !answered);
    return call === undefined || (call.id !== undefined && id !== undefined) ? undefined : call;
  }

  /** The first call that nothing answered yet. */
  firstWaiting(): OpenCall | undefined {
    return this.#all.first(({ answered }) => !answered);
  }
}
