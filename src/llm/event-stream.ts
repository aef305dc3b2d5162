/** Server-sent events, read from bytes as they arrive. */
export interface EventStream {
  /** Takes the next bytes. */
  push(piece: Uint8Array): void;
  /** No more bytes come. An event that its server did not complete is given all the same where it is `mark`. */
  end(): void;
}

/**
 * Gives the data of each event to `onData`, in order; names, ids and comments of events are skipped. Lines end with LF or CR LF. `mark` is
 * the data by which a server says that it has ended: no event after it counts, and `onMark` is called instead.
 */
export function eventStream(mark: string, onData: (data: string) => void, onMark: () => void): EventStream {
  const decoder = new TextDecoder();
  /** The pieces of the line that has no end yet. */
  let open: string[] = [];
  let data: string[] = [];
  let marked = false;

  function dispatch(): void {
    if (data.length === 0 || marked) return;
    const text = data.join("\n");
    data = [];
    marked = text.startsWith(mark);
    if (marked) onMark();
    else onData(text);
  }

  function take(line: string): void {
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (text === "") dispatch();
    else if (text.startsWith("data:")) data.push(text.slice(text[5] === " " ? 6 : 5));
  }

  return {
    push(piece) {
      const text = decoder.decode(piece, { stream: true });
      const last = text.lastIndexOf("\n");
      if (last === -1) return void open.push(text);
      const lines = `${open.join("")}${text.slice(0, last)}`.split("\n");
      open = [text.slice(last + 1)];
      for (const line of lines) take(line);
    },
    end() {
      take(open.join(""));
      if (data[0]?.startsWith(mark) === true) dispatch();
    },
  };
}
