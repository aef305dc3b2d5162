import { growingBytes } from "./growing-bytes.ts";

/** Lines that come in chunks of bytes, for one reader, who may come late. */
export interface LineQueue extends AsyncIterable<string> {
  /** Returns how many lines the chunk ends. */
  push(chunk: Buffer): number;
  /** A last line without a line break counts. */
  end(): void;
}

const NEWLINE = 10;

/** `onFirst`: takes the first line, which the reader does not see. */
export function lineQueue(onFirst: (line: string) => void): LineQueue {
  const lines: string[] = [];
  const rest = growingBytes();
  let isFirst = true;
  let isEnded = false;
  let wake = (): void => undefined;

  function take(): void {
    const line = rest.text();
    rest.clear();
    if (isFirst) onFirst(line);
    else lines.push(line);
    isFirst = false;
  }

  return {
    push(chunk) {
      let from = 0;
      let count = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        rest.push(chunk.subarray(from, at));
        from = at + 1;
        count++;
        take();
      }
      rest.push(chunk.subarray(from));
      wake();
      return count;
    },
    end() {
      if (rest.length > 0) take();
      isEnded = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (let next = 0; ;) {
        while (next < lines.length) yield lines[next++] ?? "";
        lines.length = 0;
        next = 0;
        if (isEnded) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
