/** Types of action: these only, or all but these. */
export interface TypeSet {
  readonly only: boolean;
  readonly names: readonly string[];
}

export const ANY: TypeSet = { only: false, names: [] };
export const NONE: TypeSet = { only: true, names: [] };

const unique = (names: readonly string[]): string[] => [...new Set(names)];

export function both(a: TypeSet, b: TypeSet): TypeSet {
  if (!a.only && !b.only) return { only: false, names: unique([...a.names, ...b.names]) };
  const [small, other] = a.only ? [a, b] : [b, a];
  return { only: true, names: small.names.filter((name) => hasType(other, name)) };
}

const without = ({ only, names }: TypeSet): TypeSet => ({ only: !only, names });
export const either = (a: TypeSet, b: TypeSet): TypeSet => without(both(without(a), without(b)));

export function hasType({ only, names }: TypeSet, type: string): boolean {
  return names.includes(type) === only;
}
