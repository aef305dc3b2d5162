import { counted } from "./counted.ts";

/** `4.2 MB`; powers of ten, as file managers count. */
export function bytesInWords(bytes: number): string {
  const units = ["kB", "MB", "GB"];
  let value = bytes;
  let unit = "bytes";
  for (const next of units) {
    if (value < 999.5) break;
    value /= 1000;
    unit = next;
  }
  return unit === "bytes" ? counted(bytes, "byte") : `${value.toFixed(1)} ${unit}`;
}
