/// <reference no-default-lib="true"/>
/**
 * The JavaScript that a Program Function can rely on: the parts of ES2023 that give the same answer every time.
 * There is deliberately no clock, timer, randomness, locale, network, file, process, eval or shared memory.
 */

declare var NaN: number;
declare var Infinity: number;
declare function parseInt(text: string, radix?: number): number;
declare function parseFloat(text: string): number;
declare function isNaN(value: number): boolean;
declare function isFinite(value: number): boolean;
declare function encodeURIComponent(text: string | number | boolean): string;
declare function decodeURIComponent(text: string): string;

type Partial<T> = { [P in keyof T]?: T[P] };
type Required<T> = { [P in keyof T]-?: T[P] };
type Readonly<T> = { readonly [P in keyof T]: T[P] };
type Pick<T, K extends keyof T> = { [P in K]: T[P] };
type Record<K extends keyof any, T> = { [P in K]: T };
type Exclude<T, U> = T extends U ? never : T;
type Extract<T, U> = T extends U ? T : never;
type Omit<T, K extends keyof any> = Pick<T, Exclude<keyof T, K>>;
type NonNullable<T> = T & {};
type Parameters<T extends (...args: any) => any> = T extends (...args: infer P) => any ? P : never;
type ConstructorParameters<T extends abstract new (...args: any) => any> = T extends abstract new (
  ...args: infer P
) => any
  ? P
  : never;
type ReturnType<T extends (...args: any) => any> = T extends (...args: any) => infer R ? R : any;
type InstanceType<T extends abstract new (...args: any) => any> = T extends abstract new (
  ...args: any
) => infer R
  ? R
  : any;
type Awaited<T> = T extends null | undefined
  ? T
  : T extends object & { then(onfulfilled: infer F, ...args: infer _): any }
    ? F extends (value: infer V, ...args: infer _) => any
      ? Awaited<V>
      : never
    : T;
type Uppercase<S extends string> = intrinsic;
type Lowercase<S extends string> = intrinsic;
type Capitalize<S extends string> = intrinsic;
type Uncapitalize<S extends string> = intrinsic;
type NoInfer<T> = intrinsic;
type PropertyKey = string | number | symbol;
interface ThisType<T> {}

interface PropertyDescriptor {
  configurable?: boolean;
  enumerable?: boolean;
  value?: any;
  writable?: boolean;
  get?(): any;
  set?(value: any): void;
}
interface TypedPropertyDescriptor<T> extends PropertyDescriptor {
  value?: T;
}

interface Object {
  toString(): string;
  valueOf(): Object;
  hasOwnProperty(key: PropertyKey): boolean;
  isPrototypeOf(value: Object): boolean;
  propertyIsEnumerable(key: PropertyKey): boolean;
}
interface ObjectConstructor {
  keys(value: {}): string[];
  values<T>(value: { [key: string]: T } | ArrayLike<T>): T[];
  values(value: {}): any[];
  entries<T>(value: { [key: string]: T } | ArrayLike<T>): [string, T][];
  entries(value: {}): [string, any][];
  fromEntries<T = any>(entries: Iterable<readonly [PropertyKey, T]>): { [key: string]: T };
  assign<T extends {}, U>(target: T, source: U): T & U;
  assign<T extends {}, U, V>(target: T, first: U, second: V): T & U & V;
  freeze<T>(value: T): Readonly<T>;
  isFrozen(value: any): boolean;
  hasOwn(value: object, key: PropertyKey): boolean;
  is(a: any, b: any): boolean;
}
declare var Object: ObjectConstructor;

/** Any function. It cannot be called or made from text; use an arrow function's own type. */
interface Function {
  apply(this: Function, thisArg: any, args?: any): any;
  call(this: Function, thisArg: any, ...args: any[]): any;
  bind(this: Function, thisArg: any, ...args: any[]): any;
  readonly name: string;
  readonly length: number;
  prototype: any;
}
interface CallableFunction extends Function {
  apply<T, A extends any[], R>(this: (this: T, ...args: A) => R, thisArg: T, args: A): R;
  call<T, A extends any[], R>(this: (this: T, ...args: A) => R, thisArg: T, ...args: A): R;
  bind<T>(this: T, thisArg: ThisParameterType<T>): OmitThisParameter<T>;
}
interface NewableFunction extends Function {}
type ThisParameterType<T> = T extends (this: infer U, ...args: never) => any ? U : unknown;
type OmitThisParameter<T> =
  unknown extends ThisParameterType<T> ? T : T extends (...args: infer A) => infer R ? (...args: A) => R : T;
interface IArguments {
  [index: number]: any;
  readonly length: number;
  [Symbol.iterator](): ArrayIterator<any>;
}

interface Symbol {
  toString(): string;
  readonly description: string | undefined;
}
interface SymbolConstructor {
  (description?: string): symbol;
  readonly iterator: unique symbol;
  readonly asyncIterator: unique symbol;
  readonly hasInstance: unique symbol;
  readonly toStringTag: unique symbol;
  readonly toPrimitive: unique symbol;
}
declare var Symbol: SymbolConstructor;

interface Boolean {
  valueOf(): boolean;
}
interface BooleanConstructor {
  <T>(value?: T): boolean;
}
declare var Boolean: BooleanConstructor;

interface Number {
  toString(radix?: number): string;
  toFixed(digits?: number): string;
  toPrecision(digits?: number): string;
  toExponential(digits?: number): string;
  valueOf(): number;
}
interface NumberConstructor {
  (value?: any): number;
  readonly MAX_SAFE_INTEGER: number;
  readonly MIN_SAFE_INTEGER: number;
  readonly MAX_VALUE: number;
  readonly MIN_VALUE: number;
  readonly EPSILON: number;
  readonly POSITIVE_INFINITY: number;
  readonly NEGATIVE_INFINITY: number;
  readonly NaN: number;
  isFinite(value: unknown): boolean;
  isInteger(value: unknown): boolean;
  isSafeInteger(value: unknown): boolean;
  isNaN(value: unknown): boolean;
  parseFloat(text: string): number;
  parseInt(text: string, radix?: number): number;
}
declare var Number: NumberConstructor;
interface BigInt {
  toString(radix?: number): string;
  valueOf(): bigint;
}
interface BigIntConstructor {
  (value: bigint | boolean | number | string): bigint;
}
declare var BigInt: BigIntConstructor;

interface Math {
  readonly E: number;
  readonly LN10: number;
  readonly LN2: number;
  readonly LOG10E: number;
  readonly LOG2E: number;
  readonly PI: number;
  readonly SQRT1_2: number;
  readonly SQRT2: number;
  abs(x: number): number;
  acos(x: number): number;
  asin(x: number): number;
  atan(x: number): number;
  atan2(y: number, x: number): number;
  cbrt(x: number): number;
  ceil(x: number): number;
  cos(x: number): number;
  exp(x: number): number;
  floor(x: number): number;
  hypot(...values: number[]): number;
  log(x: number): number;
  log10(x: number): number;
  log2(x: number): number;
  max(...values: number[]): number;
  min(...values: number[]): number;
  pow(x: number, y: number): number;
  round(x: number): number;
  sign(x: number): number;
  sin(x: number): number;
  sqrt(x: number): number;
  tan(x: number): number;
  trunc(x: number): number;
  /** @deprecated Refused, HASP203: a Program Function gives the same answer to the same input. */
  random(): number;
}
declare var Math: Math;

interface JSON {
  parse(text: string, reviver?: (this: any, key: string, value: any) => any): any;
  stringify(
    value: any,
    replacer?: ((this: any, key: string, value: any) => any) | (number | string)[] | null,
    space?: string | number,
  ): string;
}
declare var JSON: JSON;

interface String {
  readonly length: number;
  readonly [index: number]: string;
  at(index: number): string | undefined;
  charAt(index: number): string;
  charCodeAt(index: number): number;
  codePointAt(index: number): number | undefined;
  concat(...texts: string[]): string;
  endsWith(text: string, end?: number): boolean;
  includes(text: string, from?: number): boolean;
  indexOf(text: string, from?: number): number;
  lastIndexOf(text: string, from?: number): number;
  localeCompare(other: string): number;
  match(pattern: string | RegExp): RegExpMatchArray | null;
  matchAll(pattern: RegExp): RegExpStringIterator<RegExpExecArray>;
  normalize(form?: "NFC" | "NFD" | "NFKC" | "NFKD"): string;
  padEnd(length: number, fill?: string): string;
  padStart(length: number, fill?: string): string;
  repeat(count: number): string;
  replace(pattern: string | RegExp, replacement: string): string;
  replace(pattern: string | RegExp, replacer: (match: string, ...args: any[]) => string): string;
  replaceAll(pattern: string | RegExp, replacement: string): string;
  replaceAll(pattern: string | RegExp, replacer: (match: string, ...args: any[]) => string): string;
  search(pattern: string | RegExp): number;
  slice(start?: number, end?: number): string;
  split(separator: string | RegExp, limit?: number): string[];
  startsWith(text: string, from?: number): boolean;
  substring(start: number, end?: number): string;
  toLowerCase(): string;
  toUpperCase(): string;
  toString(): string;
  trim(): string;
  trimEnd(): string;
  trimStart(): string;
  valueOf(): string;
  [Symbol.iterator](): StringIterator<string>;
}
interface StringConstructor {
  (value?: any): string;
  fromCharCode(...codes: number[]): string;
  fromCodePoint(...codes: number[]): string;
  raw(template: { raw: readonly string[] | ArrayLike<string> }, ...values: any[]): string;
}
declare var String: StringConstructor;
interface TemplateStringsArray extends ReadonlyArray<string> {
  readonly raw: readonly string[];
}

interface RegExpMatchArray extends Array<string> {
  index?: number;
  input?: string;
  0: string;
  groups?: { [key: string]: string };
}
interface RegExpExecArray extends Array<string> {
  index: number;
  input: string;
  0: string;
  groups?: { [key: string]: string };
}
interface RegExp {
  readonly source: string;
  readonly flags: string;
  readonly global: boolean;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly sticky: boolean;
  readonly unicode: boolean;
  lastIndex: number;
  exec(text: string): RegExpExecArray | null;
  test(text: string): boolean;
}
interface RegExpConstructor {
  (pattern: RegExp | string, flags?: string): RegExp;
  new (pattern: RegExp | string, flags?: string): RegExp;
  readonly prototype: RegExp;
}
declare var RegExp: RegExpConstructor;

interface Error {
  name: string;
  message: string;
  stack?: string;
  cause?: unknown;
}
interface ErrorConstructor {
  (message?: string, options?: { cause?: unknown }): Error;
  new (message?: string, options?: { cause?: unknown }): Error;
  readonly prototype: Error;
}
declare var Error: ErrorConstructor;
interface TypeError extends Error {}
declare var TypeError: ErrorConstructor;
interface RangeError extends Error {}
declare var RangeError: ErrorConstructor;
interface SyntaxError extends Error {}
declare var SyntaxError: ErrorConstructor;

interface IteratorYieldResult<T> {
  done?: false;
  value: T;
}
interface IteratorReturnResult<T> {
  done: true;
  value: T;
}
type IteratorResult<T, R = any> = IteratorYieldResult<T> | IteratorReturnResult<R>;
interface Iterator<T, R = any, N = any> {
  next(...args: [] | [N]): IteratorResult<T, R>;
  return?(value?: R): IteratorResult<T, R>;
  throw?(error?: any): IteratorResult<T, R>;
}
interface Iterable<T, R = any, N = any> {
  [Symbol.iterator](): Iterator<T, R, N>;
}
interface IterableIterator<T, R = any, N = any> extends Iterator<T, R, N> {
  [Symbol.iterator](): IterableIterator<T, R, N>;
}
interface IteratorObject<T, R = unknown, N = unknown> extends Iterator<T, R, N> {
  [Symbol.iterator](): IteratorObject<T, R, N>;
}
interface ArrayIterator<T> extends IteratorObject<T, undefined, unknown> {
  [Symbol.iterator](): ArrayIterator<T>;
}
interface MapIterator<T> extends IteratorObject<T, undefined, unknown> {
  [Symbol.iterator](): MapIterator<T>;
}
interface SetIterator<T> extends IteratorObject<T, undefined, unknown> {
  [Symbol.iterator](): SetIterator<T>;
}
interface StringIterator<T> extends IteratorObject<T, undefined, unknown> {
  [Symbol.iterator](): StringIterator<T>;
}
interface RegExpStringIterator<T> extends IteratorObject<T, undefined, unknown> {
  [Symbol.iterator](): RegExpStringIterator<T>;
}
interface Generator<T = unknown, R = any, N = any> extends IteratorObject<T, R, N> {
  next(...args: [] | [N]): IteratorResult<T, R>;
  return(value: R): IteratorResult<T, R>;
  throw(error: any): IteratorResult<T, R>;
  [Symbol.iterator](): Generator<T, R, N>;
}
interface AsyncIterator<T, R = any, N = any> {
  next(...args: [] | [N]): Promise<IteratorResult<T, R>>;
  return?(value?: R | PromiseLike<R>): Promise<IteratorResult<T, R>>;
  throw?(error?: any): Promise<IteratorResult<T, R>>;
}
interface AsyncIterable<T, R = any, N = any> {
  [Symbol.asyncIterator](): AsyncIterator<T, R, N>;
}
interface AsyncIterableIterator<T, R = any, N = any> extends AsyncIterator<T, R, N> {
  [Symbol.asyncIterator](): AsyncIterableIterator<T, R, N>;
}
interface AsyncGenerator<T = unknown, R = any, N = any> extends AsyncIterator<T, R, N> {
  [Symbol.asyncIterator](): AsyncGenerator<T, R, N>;
}

interface PromiseLike<T> {
  then<A = T, B = never>(
    onfulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): PromiseLike<A | B>;
}
interface Promise<T> {
  then<A = T, B = never>(
    onfulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B>;
  catch<A = never>(onrejected?: ((reason: any) => A | PromiseLike<A>) | null): Promise<T | A>;
  finally(onfinally?: (() => void) | null): Promise<T>;
}
interface PromiseConstructor {
  new <T>(
    executor: (resolve: (value: T | PromiseLike<T>) => void, reject: (reason?: any) => void) => void,
  ): Promise<T>;
  all<T extends readonly unknown[] | []>(values: T): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }>;
  allSettled<T>(values: Iterable<T>): Promise<PromiseSettledResult<Awaited<T>>[]>;
  resolve(): Promise<void>;
  resolve<T>(value: T): Promise<Awaited<T>>;
  reject<T = never>(reason?: any): Promise<T>;
  readonly prototype: Promise<any>;
}
declare var Promise: PromiseConstructor;
interface PromiseConstructorLike {
  new <T>(
    executor: (resolve: (value: T | PromiseLike<T>) => void, reject: (reason?: any) => void) => void,
  ): PromiseLike<T>;
}
interface PromiseFulfilledResult<T> {
  status: "fulfilled";
  value: T;
}
interface PromiseRejectedResult {
  status: "rejected";
  reason: any;
}
type PromiseSettledResult<T> = PromiseFulfilledResult<T> | PromiseRejectedResult;

interface ArrayLike<T> {
  readonly length: number;
  readonly [index: number]: T;
}
interface ConcatArray<T> extends ArrayLike<T> {
  join(separator?: string): string;
  slice(start?: number, end?: number): T[];
}
interface ReadonlyArray<T> {
  readonly length: number;
  readonly [index: number]: T;
  at(index: number): T | undefined;
  concat(...items: (T | ConcatArray<T>)[]): T[];
  entries(): ArrayIterator<[number, T]>;
  every<S extends T>(test: (item: T, index: number, array: readonly T[]) => item is S): this is readonly S[];
  every(test: (item: T, index: number, array: readonly T[]) => unknown): boolean;
  filter<S extends T>(test: (item: T, index: number, array: readonly T[]) => item is S): S[];
  filter(test: (item: T, index: number, array: readonly T[]) => unknown): T[];
  find<S extends T>(test: (item: T, index: number, array: readonly T[]) => item is S): S | undefined;
  find(test: (item: T, index: number, array: readonly T[]) => unknown): T | undefined;
  findIndex(test: (item: T, index: number, array: readonly T[]) => unknown): number;
  findLast<S extends T>(test: (item: T, index: number, array: readonly T[]) => item is S): S | undefined;
  findLast(test: (item: T, index: number, array: readonly T[]) => unknown): T | undefined;
  findLastIndex(test: (item: T, index: number, array: readonly T[]) => unknown): number;
  flat<U>(this: readonly (U | readonly U[])[]): U[];
  flatMap<U>(map: (item: T, index: number, array: T[]) => U | readonly U[]): U[];
  forEach(visit: (item: T, index: number, array: readonly T[]) => void): void;
  includes(item: T, from?: number): boolean;
  indexOf(item: T, from?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(item: T, from?: number): number;
  map<U>(map: (item: T, index: number, array: readonly T[]) => U): U[];
  reduce(merge: (sum: T, item: T, index: number, array: readonly T[]) => T): T;
  reduce<U>(merge: (sum: U, item: T, index: number, array: readonly T[]) => U, initial: U): U;
  reduceRight<U>(merge: (sum: U, item: T, index: number, array: readonly T[]) => U, initial: U): U;
  slice(start?: number, end?: number): T[];
  some(test: (item: T, index: number, array: readonly T[]) => unknown): boolean;
  toReversed(): T[];
  toSorted(compare?: (a: T, b: T) => number): T[];
  toSpliced(start: number, deleteCount?: number, ...items: T[]): T[];
  toString(): string;
  values(): ArrayIterator<T>;
  with(index: number, value: T): T[];
  [Symbol.iterator](): ArrayIterator<T>;
}
interface Array<T> {
  length: number;
  [index: number]: T;
  at(index: number): T | undefined;
  concat(...items: (T | ConcatArray<T>)[]): T[];
  copyWithin(target: number, start: number, end?: number): this;
  entries(): ArrayIterator<[number, T]>;
  every<S extends T>(test: (item: T, index: number, array: T[]) => item is S): this is S[];
  every(test: (item: T, index: number, array: T[]) => unknown): boolean;
  fill(value: T, start?: number, end?: number): this;
  filter<S extends T>(test: (item: T, index: number, array: T[]) => item is S): S[];
  filter(test: (item: T, index: number, array: T[]) => unknown): T[];
  find<S extends T>(test: (item: T, index: number, array: T[]) => item is S): S | undefined;
  find(test: (item: T, index: number, array: T[]) => unknown): T | undefined;
  findIndex(test: (item: T, index: number, array: T[]) => unknown): number;
  findLast<S extends T>(test: (item: T, index: number, array: T[]) => item is S): S | undefined;
  findLast(test: (item: T, index: number, array: T[]) => unknown): T | undefined;
  findLastIndex(test: (item: T, index: number, array: T[]) => unknown): number;
  flat<U>(this: readonly (U | readonly U[])[]): U[];
  flatMap<U>(map: (item: T, index: number, array: T[]) => U | readonly U[]): U[];
  forEach(visit: (item: T, index: number, array: T[]) => void): void;
  includes(item: T, from?: number): boolean;
  indexOf(item: T, from?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(item: T, from?: number): number;
  map<U>(map: (item: T, index: number, array: T[]) => U): U[];
  pop(): T | undefined;
  push(...items: T[]): number;
  reduce(merge: (sum: T, item: T, index: number, array: T[]) => T): T;
  reduce<U>(merge: (sum: U, item: T, index: number, array: T[]) => U, initial: U): U;
  reduceRight<U>(merge: (sum: U, item: T, index: number, array: T[]) => U, initial: U): U;
  reverse(): T[];
  shift(): T | undefined;
  slice(start?: number, end?: number): T[];
  some(test: (item: T, index: number, array: T[]) => unknown): boolean;
  sort(compare?: (a: T, b: T) => number): this;
  splice(start: number, deleteCount?: number, ...items: T[]): T[];
  toReversed(): T[];
  toSorted(compare?: (a: T, b: T) => number): T[];
  toSpliced(start: number, deleteCount?: number, ...items: T[]): T[];
  toString(): string;
  unshift(...items: T[]): number;
  values(): ArrayIterator<T>;
  with(index: number, value: T): T[];
  [Symbol.iterator](): ArrayIterator<T>;
}
interface ArrayConstructor {
  <T>(length: number): T[];
  new <T>(length: number): T[];
  new <T>(...items: T[]): T[];
  from<T>(items: Iterable<T> | ArrayLike<T>): T[];
  from<T, U>(items: Iterable<T> | ArrayLike<T>, map: (item: T, index: number) => U): U[];
  isArray(value: any): value is any[];
  of<T>(...items: T[]): T[];
}
declare var Array: ArrayConstructor;

interface ReadonlyMap<K, V> {
  readonly size: number;
  get(key: K): V | undefined;
  has(key: K): boolean;
  forEach(visit: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void;
  entries(): MapIterator<[K, V]>;
  keys(): MapIterator<K>;
  values(): MapIterator<V>;
  [Symbol.iterator](): MapIterator<[K, V]>;
}
interface Map<K, V> extends ReadonlyMap<K, V> {
  clear(): void;
  delete(key: K): boolean;
  set(key: K, value: V): this;
}
interface MapConstructor {
  new <K = any, V = any>(entries?: Iterable<readonly [K, V]> | null): Map<K, V>;
  readonly prototype: Map<any, any>;
}
declare var Map: MapConstructor;
interface ReadonlySet<T> {
  readonly size: number;
  has(item: T): boolean;
  forEach(visit: (item: T, again: T, set: ReadonlySet<T>) => void): void;
  entries(): SetIterator<[T, T]>;
  keys(): SetIterator<T>;
  values(): SetIterator<T>;
  [Symbol.iterator](): SetIterator<T>;
}
interface Set<T> extends ReadonlySet<T> {
  add(item: T): this;
  clear(): void;
  delete(item: T): boolean;
}
interface SetConstructor {
  new <T = any>(items?: Iterable<T> | null): Set<T>;
  readonly prototype: Set<any>;
}
declare var Set: SetConstructor;
interface WeakMap<K extends object, V> {
  delete(key: K): boolean;
  get(key: K): V | undefined;
  has(key: K): boolean;
  set(key: K, value: V): this;
}
interface WeakMapConstructor {
  new <K extends object = object, V = any>(): WeakMap<K, V>;
}
declare var WeakMap: WeakMapConstructor;

/*
 * Names that a rule refuses (src/skill/rules/names.ts). They are declared so that the rule's reason is all that an editor shows, and
 * not "Cannot find name" beside it.
 */

/** @deprecated Refused, HASP205: it makes code from text. */
declare function eval(text: string): any;
/** @deprecated Refused, HASP202: a Program Function reads no clock; `ctx.stepCount` says how far the episode is. */
declare var Date: any;
/** @deprecated Refused, HASP202: a Program Function reads no clock; `ctx.stepCount` says how far the episode is. */
declare var performance: any;
/** @deprecated Refused, HASP202: a Program Function reads no clock; `ctx.stepCount` says how far the episode is. */
declare var Temporal: any;
/** @deprecated Refused, HASP203: a Program Function gives the same answer to the same input. */
declare var crypto: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var fetch: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var XMLHttpRequest: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var WebSocket: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var EventSource: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var Request: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var Response: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var navigator: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var location: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var process: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var module: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var exports: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var __dirname: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var __filename: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var Deno: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var Bun: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var Buffer: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var Worker: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var WebAssembly: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var setTimeout: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var setInterval: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var setImmediate: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var queueMicrotask: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var requestAnimationFrame: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var console: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var window: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var document: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var localStorage: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var sessionStorage: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var indexedDB: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var alert: any;
/** @deprecated Refused, HASP204: the sandbox has no network, files, timers or console. */
declare var Intl: any;
/** @deprecated Refused, HASP205: it leads to the global object or makes code from text. */
declare var global: any;
/** @deprecated Refused, HASP205: it leads to the global object or makes code from text. */
declare var Function: any;
/** @deprecated Refused, HASP206: it depends on the garbage collector or on other threads. */
declare var WeakRef: any;
/** @deprecated Refused, HASP206: it depends on the garbage collector or on other threads. */
declare var FinalizationRegistry: any;
/** @deprecated Refused, HASP206: it depends on the garbage collector or on other threads. */
declare var SharedArrayBuffer: any;
/** @deprecated Refused, HASP206: it depends on the garbage collector or on other threads. */
declare var Atomics: any;
/** @deprecated Refused, HASP207: a Program Function is one file and imports from "hasp" alone. */
declare var require: any;
/** Refused, HASP207: a Program Function is one file and imports from "hasp" alone. */
declare module "*";
