const DIGITS = 3;

/** The p of a test in words: `0.031`, or `< 0.001`, since none is 0. */
export const pText = (p: number): string => (p < 10 ** -DIGITS ? "< 0.001" : p.toFixed(DIGITS));
