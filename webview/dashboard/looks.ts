/** Theme tokens of the lines, by slot. */
const COLOURS = [
  "--vscode-charts-blue",
  "--vscode-charts-orange",
  "--vscode-charts-green",
  "--vscode-charts-purple",
  "--vscode-charts-red",
  "--vscode-charts-yellow",
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

/** Colours of a chart as the theme has them now. */
export interface Palette {
  readonly text: string;
  readonly grid: string;
  readonly boundary: string;
  /** By slot. */
  line(slot: number): string;
}

/** Reads the theme's tokens; called with each paint after a change of theme. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const first = (...tokens: readonly string[]): string => {
    for (const token of tokens) {
      const value = style.getPropertyValue(token).trim();
      if (value !== "") return value;
    }
    return style.color;
  };
  const text = first("--vscode-descriptionForeground", "--vscode-foreground");
  return {
    text,
    // The borders of high contrast themes would outshine the curves.
    grid: `color-mix(in srgb, ${text} 18%, transparent)`,
    boundary: first("--vscode-foreground"),
    line: (slot) => first(lookOf(slot).token, "--vscode-charts-foreground", "--vscode-foreground"),
  };
}
