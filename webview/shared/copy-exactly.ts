/** The selection within a shadow root, which the one of the document does not tell; only Chromium has it. */
function selectedIn(root: Node & { getSelection?(): Selection | null }): Range | undefined {
  const selection = root.getSelection?.() ?? null;
  return selection === null || selection.rangeCount === 0 ? undefined : selection.getRangeAt(0);
}

/**
 * Puts the text of a selection within this element on the clipboard as it stands in the page, without what matches `leftOut`: a browser
 * would add line breaks for its parts.
 */
export function copyExactly(within: Element, event: ClipboardEvent, leftOut: string): void {
  const range = selectedIn(within.getRootNode());
  if (range === undefined || !within.contains(range.commonAncestorContainer)) return;
  const copied = range.cloneContents();
  for (const part of copied.querySelectorAll(leftOut)) part.remove();
  event.clipboardData?.setData("text/plain", copied.textContent ?? "");
  event.preventDefault();
}
