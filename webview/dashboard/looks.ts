/** Theme tokens of the lines, by slot. Not `charts.orange`: it is the minimap's highlight, which themes make transparent. */
const COLOURS = [
  "--vscode-charts-blue",
  "--vscode-charts-yellow",
  "--vscode-charts-green",
  "--vscode-charts-purple",
  "--vscode-charts-red",
  "--vscode-charts-foreground",
] as const;

/** Dash and space, in pixels; the first line is solid. */
const DASHES: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [14, 4]];

/** Look of the lines of a slot. Beyond the colours, a colour comes again with another dash. */
export interface Look {
  /** A custom property. */
  readonly token: string;
  readonly dash: readonly number[];
}

export function lookOf(slot: number): Look {
  const round = Math.floor(slot / COLOURS.length);
  return {
    token: COLOURS[slot % COLOURS.length] ?? COLOURS[0],
    dash: DASHES[(slot + round) % DASHES.length] ?? [],
  };
}
