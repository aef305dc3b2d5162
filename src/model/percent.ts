/** A share as `33.3%`. */
export const percentOf = (share: number): string => `${(100 * share).toFixed(1)}%`;
