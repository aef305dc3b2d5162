/**
 * The memory of a realm with its PFs loaded, as a picture that another process begins from. QuickJS keeps all it knows in that memory, and
 * allocates in the same order wherever it runs, so what was true of an address there is true of it here. It is taken before anything was
 * judged, and not used where the guest or the layout of the memory differs. `test/golden/realm-image.test.ts` compares its decisions with
 * those of a filled realm.
 */
export interface RealmImage {
  /** The build of the guest that is in it. */
  readonly mark: string;
  /** Address of the global object: where it is another one here, the image does not fit. */
  readonly anchor: number;
  /** Address of the guest's face. */
  readonly guest: number;
  /** What loading each PF answered. */
  readonly answers: readonly (readonly [skillId: string, answer: string])[];
  /** Numbers of the pages that are not empty, ascending. */
  readonly pages: readonly number[];
  /** What is in them, one after the other. */
  readonly bytes: Uint8Array;
}

/** What a realm begins with, where it does not begin from nothing. */
export interface RealmStart {
  /** QuickJS, compiled; without it, the one in the single file is. */
  readonly module?: WebAssembly.Module | undefined;
  readonly image?: RealmImage | undefined;
}

/** Bytes of a page of an image; small, because what QuickJS leaves empty lies between what it fills. */
const PAGE = 1024;
/** As QuickJS was linked: pages of 64 KiB. */
const INITIAL = 256;
const MAXIMUM = 32_768;

/** A WebAssembly.Memory, which the types of Node do not have. */
export interface LinearMemory {
  readonly buffer: ArrayBuffer;
}

const { WebAssembly: wasm } = globalThis as unknown as {
  WebAssembly: {
    Memory: new (size: { initial: number; maximum: number }) => LinearMemory;
    Module: new (bytes: Uint8Array) => WebAssembly.Module;
  };
};

/** A file of WebAssembly, compiled. */
export function wasmModule(bytes: Uint8Array): WebAssembly.Module {
  return new wasm.Module(bytes);
}

export function newMemory(): LinearMemory {
  return new wasm.Memory({ initial: INITIAL, maximum: MAXIMUM });
}

function isEmpty(page: Uint8Array): boolean {
  return page.every((byte) => byte === 0);
}

/**
 * The pages that hold something, or held something in `begin`, the memory of a QuickJS with nothing in it. Undefined where the memory has
 * grown: views of it would have to grow with it.
 */
export function copyPages(
  { buffer }: LinearMemory,
  begin: LinearMemory,
): Pick<RealmImage, "pages" | "bytes"> | undefined {
  if (buffer.byteLength !== INITIAL * 65_536) return undefined;
  const pageOf = (from: ArrayBuffer, page: number): Uint8Array => new Uint8Array(from, page * PAGE, PAGE);
  const all = Array.from({ length: buffer.byteLength / PAGE }, (_, page) => page);
  const pages = all.filter((page) => !isEmpty(pageOf(buffer, page)) || !isEmpty(pageOf(begin.buffer, page)));
  const bytes = new Uint8Array(pages.length * PAGE);
  for (const [i, page] of pages.entries()) bytes.set(pageOf(buffer, page), i * PAGE);
  return { pages, bytes };
}

/** Makes the memory of a QuickJS with nothing in it what the image says. */
export function putPages(
  { buffer }: LinearMemory,
  { pages, bytes }: Pick<RealmImage, "pages" | "bytes">,
): void {
  const all = new Uint8Array(buffer);
  // Pages side by side are put together: most are, and each call costs.
  for (let from = 0; from < pages.length;) {
    const page = pages[from] ?? 0;
    let to = from + 1;
    while (pages[to] === page + to - from) to++;
    all.set(bytes.subarray(from * PAGE, to * PAGE), page * PAGE);
    from = to;
  }
}

/** The memory that an image says, from its start to the last byte that is not empty. */
export function usedMemory(image: RealmImage): Uint8Array {
  const bytes = new Uint8Array(((image.pages.at(-1) ?? -1) + 1) * PAGE);
  putPages(bytes, image);
  return bytes;
}
