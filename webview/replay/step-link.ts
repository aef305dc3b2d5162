/**
 * A link to a step that opens in VS Code; `step` is 1-based, as people count. `run` and `episode` are ids, which stay when
 * a run folder moves or is read on another machine.
 */
export function stepLink(place: {
  readonly run: string;
  readonly episode: string;
  readonly t: number;
}): string {
  const query = new URLSearchParams({ run: place.run, episode: place.episode, step: String(place.t + 1) });
  return `vscode://hasp-studio.hasp-studio/step?${query.toString()}`;
}
