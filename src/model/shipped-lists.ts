/** Lists of shipped skills: `worth` has those that earn their place on recorded runs, `paper` all of the paper's with its triggers. */
export const SHIPPED_LISTS = ["worth", "paper"] as const;
export type ShippedList = (typeof SHIPPED_LISTS)[number];

/** The list of whoever names none. */
export const DEFAULT_LIST: ShippedList = "worth";

/** The list of experiments that name none: they reproduce the paper. */
export const EXPERIMENT_LIST: ShippedList = "paper";

/** The key of `hasp.yaml` and of a recorded run's settings that names the list; `--triggers` on the command line. */
export const TRIGGERS = "triggers";

/** Below `skills/`: `<domain>/<name>` is of all lists, `<list>/<domain>/<name>` of that list alone. */
const PLACE = new RegExp(`^(?:(${SHIPPED_LISTS.join("|")})/)?([^/]+/[^/]+)$`);

/**
 * The skills of a list by `<domain>/<name>`, of their folders below `skills/`: those of all lists, then those of the list alone, which take
 * the place of others of their name.
 */
export function shippedIn(folders: Iterable<string>, list: ShippedList): ReadonlyMap<string, string> {
  const parts = [...folders].flatMap((folder) => {
    const [, own, name] = PLACE.exec(folder) ?? [];
    return name === undefined ? [] : [{ own, name, folder }];
  });
  const of = (wanted: ShippedList | undefined) =>
    parts.flatMap(({ own, name, folder }) => (own === wanted ? [[name, folder] as const] : []));
  return new Map([...of(undefined), ...of(list)]);
}

/** Whether a domain has several lists: some of its skills are of one alone. */
export function hasLists(folders: Iterable<string>, domain: string): boolean {
  return [...folders].some((folder) => SHIPPED_LISTS.some((list) => folder.startsWith(`${list}/${domain}/`)));
}
