/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const LONGEST = 100;

/**
 * A file name for an episode: its id with everything replaced that some file system refuses or that could leave the
 * folder; numbered where `taken` has it. The name is added to `taken`, in lower case.
 */
export function exportName(id: string, taken: Set<string>): string {
  const plain = id
    .replaceAll(/[^\w.-]+/g, "_")
    .replace(/^[.]+|[.]+$/g, "_")
    .slice(0, LONGEST);
  const base = plain === "" || DEVICE.test(plain) ? `episode_${plain}` : plain;
  let name = base;
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${base}-${n}`;
  taken.add(name.toLowerCase());
  return name;
}
