import type { Rational } from "../expression/rational.ts";

export const HALF: Rational = { num: 1n, den: 2n };
export const HUNDRED: Rational = { num: 100n, den: 1n };
