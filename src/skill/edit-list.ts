/** Insertions into a text. Those at the same place nest: what was asked for first stands outside. */
export interface EditList {
  around(start: number, end: number, before: string, after: string): void;
  apply(text: string): string;
}

export function editList(): EditList {
  const wraps: { start: number; end: number; before: string; after: string }[] = [];
  return {
    around: (start, end, before, after) => void wraps.push({ start, end, before, after }),
    apply(text) {
      const opens = new Map<number, string>();
      const closes = new Map<number, string>();
      // Longer spans stand outside shorter ones; the sort is stable, so equal ones keep their order.
      for (const { start, end, before, after } of wraps.toSorted(
        (a, b) => b.end - b.start - (a.end - a.start),
      )) {
        opens.set(start, (opens.get(start) ?? "") + before);
        if (after !== "") closes.set(end, after + (closes.get(end) ?? ""));
      }
      const places = [...new Set([...opens.keys(), ...closes.keys()])].toSorted((a, b) => a - b);
      let out = "";
      let last = 0;
      for (const at of places) {
        out += text.slice(last, at) + (closes.get(at) ?? "") + (opens.get(at) ?? "");
        last = at;
      }
      return out + text.slice(last);
    },
  };
}
