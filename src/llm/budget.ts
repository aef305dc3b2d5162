import { ModelError } from "./chat-model.ts";

/** Dollars that all models of a run share. */
export interface Budget {
  /** US dollars; undefined: no limit. */
  readonly limit: number | undefined;
  /** US dollars of the calls that have ended, as far as their prices are known. */
  readonly spent: number;
  /** A call has ended whose price nobody knows. */
  readonly costUnknown: boolean;
  /**
   * Sets aside what a call may cost at most, before it is made. Waits while calls in flight hold what would be needed;
   * rejects with ModelError `budget` once the calls that have ended left too little, with the signal's reason on abort.
   */
  reserve(cost: number, signal?: AbortSignal): Promise<Reservation>;
}

export interface Reservation {
  /** The call has ended and cost this much; undefined: nobody knows. Later calls of it do nothing. */
  settle(cost: number | undefined): void;
}

interface Waiting {
  readonly cost: number;
  readonly grant: (reservation: Reservation) => void;
  readonly refuse: (error: ModelError) => void;
}

/** Sums of fractions are not exact: a billionth of a dollar is no overrun. */
const TOLERANCE = 1e-9;

/** @param spent what earlier sittings of a resumed run have cost. */
export function createBudget(limit: number | undefined, spent = 0): Budget {
  const state = { spent, reserved: 0, costUnknown: false };
  const queue: Waiting[] = [];
  const ceiling = (limit ?? Number.POSITIVE_INFINITY) + TOLERANCE;

  const take = (cost: number): Reservation => {
    let open = true;
    state.reserved += cost;
    return {
      settle(actual) {
        if (!open) return;
        open = false;
        state.reserved -= cost;
        state.spent += actual ?? 0;
        state.costUnknown ||= actual === undefined;
        serve();
      },
    };
  };
  const serve = (): void => {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      const refused = state.spent + first.cost > ceiling;
      if (!refused && state.spent + state.reserved + first.cost > ceiling) return;
      queue.shift();
      if (refused) first.refuse(exhausted(first.cost, limit ?? 0, state.spent));
      else first.grant(take(first.cost));
    }
  };
  const reserve = (cost: number, signal?: AbortSignal): Promise<Reservation> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = (): void => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(signal?.reason);
        serve();
      };
      const done = (): void => signal?.removeEventListener("abort", leave);
      const waiting: Waiting = {
        cost,
        grant: (reservation) => (done(), resolve(reservation)),
        refuse: (error) => (done(), reject(error)),
      };
      signal?.addEventListener("abort", leave, { once: true });
      queue.push(waiting);
      serve();
    });
  return {
    limit,
    get spent() {
      return state.spent;
    },
    get costUnknown() {
      return state.costUnknown;
    },
    reserve,
  };
}

function exhausted(cost: number, limit: number, spent: number): ModelError {
  const left = Math.max(0, limit - spent);
  return new ModelError(
    "budget",
    `The next call may cost up to ${dollars(cost)}, and of the budget of ${dollars(limit)} only ${dollars(left)} are left.`,
    "Raise the budget, or allow shorter replies, and resume.",
  );
}

/** A sum of costs: `$0.45`, `unknown` without any known price, `at least $0.45` where some are not known. */
export function costText({ spent, costUnknown }: Pick<Budget, "spent" | "costUnknown">): string {
  if (!costUnknown) return dollars(spent);
  return spent > 0 ? `at least ${dollars(spent)}` : "unknown";
}

/** Cents where they matter, more digits below: `$0.45`, `$0.0004`. */
export function dollars(amount: number): string {
  return `$${amount === 0 || amount >= 0.01 ? amount.toFixed(2) : amount.toPrecision(2)}`;
}
