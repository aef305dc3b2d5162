/** QuickJS has iterator helpers; TypeScript's es2023 library does not know them. */
declare const Iterator: {
  from(iterator: { next(): IteratorResult<unknown> }): object;
  readonly prototype: { map(this: object, step: (x: unknown) => unknown): object };
};
