/**
 * A Bash text without its comments and with one blank for many, and how much of it is code: what stands in quotes and here-documents is
 * cheap to parse and does not count. One pass; where it goes wrong, it counts too much or too little, and changes no word.
 */
export function condensed(source: string): { readonly text: string; readonly code: number } {
  const pieces: string[] = [];
  const documents: string[] = [];
  let code = 0;
  let kept = 0;
  let at = 0;
  const skipTo = (end: number, instead: string): void => {
    pieces.push(source.slice(kept, at), instead);
    at = end;
    kept = end;
  };
  while (at < source.length) {
    const c = source[at] ?? "";
    if (c === "\\") at += 2;
    else if (c === "'" || c === '"') at = quoteEnd(source, at);
    else if (c === "#" && (at === 0 || /[\s;|&()]/.test(source[at - 1] ?? "")))
      skipTo(lineEnd(source, at), "");
    else if (c === "\n" && documents.length > 0) at = documentsEnd(source, at, documents.splice(0));
    else if (/\s/.test(c) && /\s/.test(source[at + 1] ?? "")) {
      const end = blankEnd(source, at);
      skipTo(end, source.slice(at, end).includes("\n") ? "\n" : " ");
    } else {
      if (c === "<" && source.startsWith("<<", at) && source[at + 2] !== "<" && source[at - 1] !== "<") {
        const word = /^<<-?[ \t]*(["'\\]?)([\w.-]+)/.exec(source.slice(at, at + 100))?.[2];
        if (word !== undefined) documents.push(word);
      }
      at++;
      code++;
    }
  }
  pieces.push(source.slice(kept));
  return { text: pieces.join(""), code };
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf("\n", at);
  return end === -1 ? source.length : end;
}

function blankEnd(source: string, at: number): number {
  const more = /\S/g;
  more.lastIndex = at;
  return more.exec(source)?.index ?? source.length;
}

/** Behind the closing quote. */
function quoteEnd(source: string, start: number): number {
  const quote = source[start];
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === quote) return at + 1;
    if (source[at] === "\\" && quote === '"') at++;
  }
  return source.length;
}

/** At the end of the line that closes the last of these here-documents. */
function documentsEnd(source: string, start: number, words: readonly string[]): number {
  let at = start;
  for (const word of words) {
    for (;;) {
      const next = lineEnd(source, at + 1);
      if (at >= source.length) break;
      const isEnd = source.slice(at + 1, next).trim() === word;
      at = next;
      if (isEnd) break;
    }
  }
  return at;
}
