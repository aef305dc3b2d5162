import { hitsOf, neighbourHit } from "./find.ts";
import type { FindQuery, Hit } from "./find-query.ts";
import { valueOf, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

/** Actions of the find bar. */
export interface FindActions {
  /** `seed`: words to begin with, in place of the last ones. */
  openFind(seed: string): void;
  closeFind(): void;
  /** Looks for other words, from the step shown on. */
  setFind(query: Partial<FindQuery>): void;
  /** To the next (1) or previous (-1) hit, around both ends. */
  moveFind(by: 1 | -1): void;
}

const NO_QUERY: FindQuery = { text: "", matchCase: false };

export function createFindActions(store: Store<ReplayState>, goToStep: (t: number) => void): FindActions {
  let last = NO_QUERY;
  const show = (current: Hit | undefined): void => {
    const { find, t } = store.get();
    if (find !== undefined) store.update({ find: { ...find, current } });
    if (current?.t !== undefined && current.t !== t) goToStep(current.t);
  };
  const setFind = (query: Partial<FindQuery>): void => {
    const { find, t } = store.get();
    last = { ...(find?.query ?? last), ...query };
    store.update({ find: { query: last, current: undefined } });
    show(neighbourHit(hitsOf(store.get()), undefined, t, 1));
  };
  const openFind = (seed: string): void => {
    const { compare, episode, find } = store.get();
    if (compare !== undefined || valueOf(episode) === undefined) return;
    if (find === undefined || seed !== "") setFind(seed === "" ? {} : { text: seed });
  };
  return {
    openFind,
    closeFind: () => store.update({ find: undefined }),
    setFind,
    moveFind: (by) => {
      const { find, t } = store.get();
      if (find === undefined) return openFind("");
      show(neighbourHit(hitsOf(store.get()), find.current, t, by));
    },
  };
}
