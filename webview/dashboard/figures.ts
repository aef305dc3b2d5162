import type { CurveName } from "../../src/protocol/dashboard.ts";
import type { Line } from "./decimate.ts";
import { firstAt } from "./decimate.ts";

const MINUS = "−";

/** `0.412`, `12.5 k`, `4.1 M`, `1.2 B`, `2.0e−5`: four digits at most, and a true minus. */
export function figure(value: number): string {
  const size = Math.abs(value);
  const plain = (): string => {
    if (size >= 1e9) return `${Number((value / 1e9).toPrecision(4))} B`;
    if (size >= 1e6) return `${Number((value / 1e6).toPrecision(4))} M`;
    if (size >= 1e4) return `${Number((value / 1e3).toPrecision(4))} k`;
    if (size !== 0 && size < 1e-3) return value.toExponential(1);
    return String(Number(value.toPrecision(4)));
  };
  return plain().replaceAll("-", MINUS);
}

/** A value of a scalar in words; a dash where there is none. */
export function valueWords(name: CurveName, value: number | undefined): string {
  if (value === undefined) return "–";
  if (Number.isNaN(value)) return "no number";
  if (name === "mean_token_accuracy") return `${Number((100 * value).toFixed(1))}%`;
  return figure(value);
}

/** The point nearest to an x; undefined where the line does not reach that far. */
export function pointNear({ xs }: Line, x: number): number | undefined {
  const after = firstAt(xs, x);
  const [left, right] = [xs[after - 1], xs[after]];
  if (right === undefined) return undefined;
  if (left === undefined) return right === x ? after : undefined;
  return x - left < right - x ? after - 1 : after;
}

/** Digits after the point that the ticks of an axis share. */
function decimals(values: readonly number[]): number {
  const digits = values.map((value) => (String(Number(value.toPrecision(6))).split(".")[1] ?? "").length);
  return Math.min(6, Math.max(0, ...digits));
}

/** Labels of ticks, all with the same digits. */
export function tickWords(values: readonly number[]): string[] {
  const most = Math.max(...values.map(Math.abs));
  const scaled = (by: number, unit: string): string[] => {
    const shares = values.map((value) => value / by);
    const digits = decimals(shares);
    return shares.map((share, i) => (values[i] === 0 ? "0" : `${share.toFixed(digits)}${unit}`));
  };
  const words = (): string[] => {
    if (most >= 1e9) return scaled(1e9, " B");
    if (most >= 1e6) return scaled(1e6, " M");
    if (most >= 1e4) return scaled(1e3, " k");
    if (most >= 1e-3) return scaled(1, "");
    return values.map((value) => (value === 0 ? "0" : value.toExponential(1)));
  };
  return words().map((word) => word.replaceAll("-", MINUS));
}
