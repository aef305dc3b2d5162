/** The text of the file, inlined by the build (scripts/text-imports.mts). */
declare module "*?text" {
  const text: string;
  export default text;
}

/** The file bundled for QuickJS into one classic script, as text (scripts/text-imports.mts). */
declare module "*?guest" {
  const script: string;
  export default script;
  /** SHA-256 of the script. */
  export const hash: string;
}

/** A folder as JSON text: path inside the folder → text of the file. */
declare module "*?tree" {
  const json: string;
  export default json;
}

/** The script or stylesheet of a webview as it ships, as text (scripts/text-imports.mts). */
declare module "*?browser" {
  const script: string;
  export default script;
}

/** The bytes of the file in base64. */
declare module "*?base64" {
  const bytes: string;
  export default bytes;
}
