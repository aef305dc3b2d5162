/** What the replay's controller uses of a browser: its tests run in Node, whose types lack it. */
declare function requestIdleCallback(callback: () => void, options?: { timeout: number }): number;

interface Navigator {
  readonly clipboard: { writeText(text: string): Promise<void> };
}
