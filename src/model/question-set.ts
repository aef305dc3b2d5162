/** `pool` is everything to train on; `seed` and `val` are drawn from its tail, and `train` is the pool without them (SPEC §7). */
export const SPLITS = ["test", "pool", "train", "seed", "val", "all"] as const;
export type SplitName = (typeof SPLITS)[number];

/** Rows of the seed and the validation split, and the seed of the shuffle before them (SPEC §7). */
export const SPLIT_DEFAULTS = { seedRows: 50, valRows: 50, seed: 42 } as const;
/** As `seedRows`: the whole tail of the pool, and none for validation. */
export const WHOLE_TAIL = -1;
