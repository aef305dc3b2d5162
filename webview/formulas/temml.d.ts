/** The part of Temml that is used, of its source. */
declare module "temml/temml.js" {
  interface Options {
    readonly displayMode: boolean;
    /** Throws at what cannot be parsed; else draws it in red. */
    readonly throwOnError: boolean;
    /** Lets in addresses, images, and attributes of HTML. */
    readonly trust: boolean;
    /** Expansions of macros. */
    readonly maxExpand: number;
  }
  const temml: {
    render(latex: string, holder: HTMLElement, options: Options): void;
  };
  export default temml;
}
