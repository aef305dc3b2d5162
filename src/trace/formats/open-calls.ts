interface OpenCall {
  readonly t: number;
  readonly hasId: boolean;
}

/** The steps whose calls wait for a result, in their order. Each question is answered at once: a turn may have 50,000 calls. */
export class OpenCalls {
  readonly #calls: OpenCall[] = [];
  readonly #open = new Set<number>();
  /** All before these places have their results. */
  #first = 0;
  #firstNameless = 0;

  add(t: number, hasId: boolean): void {
    this.#calls.push({ t, hasId });
    this.#open.add(t);
  }

  answer(t: number): void {
    this.#open.delete(t);
  }

  first(): number | undefined {
    this.#first = this.#next(this.#first, () => true);
    return this.#calls[this.#first]?.t;
  }

  /** The first whose call has no id. */
  firstNameless(): number | undefined {
    this.#firstNameless = this.#next(this.#firstNameless, ({ hasId }) => !hasId);
    return this.#calls[this.#firstNameless]?.t;
  }

  all(): Iterable<number> {
    return this.#open;
  }

  #next(from: number, fits: (call: OpenCall) => boolean): number {
    let at = from;
    for (let call = this.#calls[at]; call !== undefined; call = this.#calls[++at])
      if (fits(call) && this.#open.has(call.t)) return at;
    return at;
  }
}
