import { lookOf } from "./looks.ts";

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
