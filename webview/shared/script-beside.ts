/** The script of this view. A page lets in what has its nonce. */
const OWN_SCRIPT = document.currentScript;

const loading = new Map<string, Promise<void>>();

/**
 * Loads a script that lies beside that of the view, once. It is there when the promise resolves, or cannot be had: an exported page
 * carries those that it needs, and asks for none.
 */
export function loadBeside(name: string): Promise<void> {
  const known = loading.get(name);
  if (known !== undefined) return known;
  const loaded = new Promise<void>((resolve) => {
    if (!(OWN_SCRIPT instanceof HTMLScriptElement) || OWN_SCRIPT.src === "") return resolve();
    const script = document.createElement("script");
    script.nonce = OWN_SCRIPT.nonce;
    script.src = new URL(name, OWN_SCRIPT.src).href;
    for (const ended of ["load", "error"]) script.addEventListener(ended, () => resolve());
    document.head.append(script);
  });
  loading.set(name, loaded);
  return loaded;
}
