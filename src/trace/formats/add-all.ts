/** Adds any number of things to a list. As arguments of one `push` about 120,000 of them end the program. */
export function addAll<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}
