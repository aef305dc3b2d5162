/**
 * The world of the miniature: invented people, cities and countries, each name one word. A document for each person tells four
 * relations and two attributes; a question asks an attribute of a person's relation, so that two documents answer it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

import { hashOf, mixed, oneOf } from "./random.mts";

/** Everybody's title: a name that a question does not have is known by its two capitals. */
export const TITLE = "Keeper";

export const RELATIONS = ["chief", "friend", "spouse", "teacher"] as const;
export type Relation = (typeof RELATIONS)[number];

/** How a question ends, and the words that search the attribute. */
export const ATTRIBUTES = {
  city: { asks: "is at home in which city?", searched: "home city" },
  country: { asks: "was born in which country?", searched: "born country" },
} as const;
export type Attribute = keyof typeof ATTRIBUTES;

export interface Person extends Readonly<Record<Relation, string>>, Readonly<Record<Attribute, string>> {
  readonly name: string;
}

export interface Asked {
  readonly relation: Relation;
  readonly attribute: Attribute;
  /** The person that the question begins with. */
  readonly of: string;
}

export interface World {
  readonly people: readonly Person[];
  readonly questions: readonly (Asked & { readonly gold: string })[];
}

export interface Names {
  readonly people: readonly string[];
  readonly cities: readonly string[];
  readonly countries: readonly string[];
}

const BEGINNINGS = "B Br D Dr F G Gr H K Kl L M N P Pr R S St T Tr V Z".split(" ");
const VOWELS = "a e i o u".split(" ");
const MIDDLES = "b d g l ll m n nd r rr s t v".split(" ");
const ENDS = { people: "an el in or us".split(" "), cities: ["ham", "mouth"], countries: ["ia", "land"] };

/** Words of the prompts and notes that a name must not be. Names are longer than any such word by chance. */
function invent(kind: keyof Names, count: number): string[] {
  const names = new Set<string>();
  for (let at = 0; names.size < count; at++) {
    const key = `${kind} ${at}`;
    const [begin, middle] = [oneOf(BEGINNINGS, `${key} b`), oneOf(MIDDLES, `${key} m`)];
    names.add(begin + oneOf(VOWELS, `${key} v`) + middle + oneOf(ENDS[kind], `${key} e`));
  }
  return [...names];
}

/** The same names in every world; which of them are who and where differs. */
export function inventNames(people: number, places: number): Names {
  return {
    people: invent("people", people),
    cities: invent("cities", places),
    countries: invent("countries", places),
  };
}

/** Questions about one person, each about another relation. */
const QUESTIONS = 2;

/**
 * A world of as many people as there are names, with questions about each. The first `heldOut` people and the others know only one another,
 * so that no document about the one part is on the way to an answer about the other.
 */
export function makeWorld(names: Names, seed: string, heldOut: number): World {
  const order = mixed(names.people, `${seed} people`);
  const parts = [order.slice(0, heldOut), order.slice(heldOut)];
  const people = parts.flatMap((part) => part.map((name) => personOf(name, part, names, seed)));
  const byName = new Map(people.map((person) => [person.name, person] as const));
  const questions = people.flatMap((person) => questionsOf(person, byName, seed));
  return { people, questions };
}

function personOf(name: string, part: readonly string[], names: Names, seed: string): Person {
  const [chief = "", friend = "", spouse = "", teacher = ""] = mixed(
    part.filter((other) => other !== name),
    `${seed} ${name}`,
  );
  const city = oneOf(names.cities, `${seed} city ${name}`);
  const country = oneOf(names.countries, `${seed} country ${name}`);
  return { name, chief, friend, spouse, teacher, city, country };
}

function questionsOf(
  person: Person,
  byName: ReadonlyMap<string, Person>,
  seed: string,
): World["questions"][number][] {
  const relations = mixed(RELATIONS, `${seed} relations ${person.name}`).slice(0, QUESTIONS);
  return relations.map((relation) => {
    const key = `${seed} attribute ${person.name} ${relation}`;
    const attribute: Attribute = hashOf(key) % 2 === 0 ? "city" : "country";
    const gold = byName.get(person[relation])?.[attribute];
    if (gold === undefined) throw new Error(`Nobody is ${person[relation]}.`);
    return { of: person.name, relation, attribute, gold };
  });
}

export const questionText = ({ of, relation, attribute }: Asked): string =>
  `The ${relation} of the ${TITLE} ${of} ${ATTRIBUTES[attribute].asks}`;

/** The facts of a person in an order of their own: where a fact stands must not tell which it is. */
function textOf(person: Person, seed: string): string {
  const facts = [
    ...RELATIONS.map((relation) => `${relation} ${person[relation]}`),
    ...(["city", "country"] as const).map((kind) => `${ATTRIBUTES[kind].searched} ${person[kind]}`),
  ];
  return `${mixed(facts, `${seed} facts ${person.name}`).join(", ")}.`;
}

/** Found by a search that names nobody, since it has all the words and each of them twice. */
const NOBODY = {
  title: "keepers",
  text: "home city, home city, born country, born country: every keeper has one.",
};

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** Writes `corpus.jsonl` and `questions.jsonl`, the questions about the held-out people first: they are the test split. */
export function writeWorld(folder: string, { people, questions }: World, seed: string): void {
  mkdirSync(folder, { recursive: true });
  const passages = people.map((person) => ({ title: `${TITLE} ${person.name}`, text: textOf(person, seed) }));
  writeFileSync(resolve(folder, "corpus.jsonl"), lines([NOBODY, ...passages]));
  const rows = questions.map((asked) => ({
    id: `${asked.of}-${asked.relation}`.toLowerCase(),
    question: questionText(asked),
    answer: asked.gold,
    meta: { person: asked.of, relation: asked.relation, attribute: asked.attribute },
  }));
  writeFileSync(resolve(folder, "questions.jsonl"), lines(rows));
}
