/**
 * The rule-based policy whose episodes the student is pre-trained on. It reads the harness's own prompts and answers in their form; the
 * next action depends on the request alone.
 */
import { mixed, oneOf, shareOf } from "./random.mts";
import {
  ATTRIBUTES,
  TITLE,
  type Asked,
  type Attribute,
  type Names,
  RELATIONS,
  type Relation,
} from "./world.mts";

/**
 * `early`: answers with the person in the middle. `half`: with the place of the person that the question names. `guess`: with any place.
 * `repeat`: searches without a name, twice. The shipped skills see all of these but `half`.
 */
export const BEHAVIOURS = ["good", "early", "half", "guess", "repeat"] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** Shares of the behaviours, which sum to 1. */
export type Mixture = Readonly<Record<Behaviour, number>>;

/** Which faults are frequent depends on the relation, so that a student that takes its likeliest action has them too. */
const MIXTURES: Readonly<Record<Relation, Mixture>> = {
  chief: { good: 0.85, early: 0.05, half: 0.05, guess: 0.05, repeat: 0 },
  friend: { good: 0.25, early: 0.05, half: 0.6, guess: 0.05, repeat: 0.05 },
  spouse: { good: 0.25, early: 0.55, half: 0, guess: 0.15, repeat: 0.05 },
  teacher: { good: 0.25, early: 0.05, half: 0, guess: 0.1, repeat: 0.6 },
};

export interface Message {
  readonly role: string;
  readonly content: string;
}

/** A step as the prompt tells it: the text that came. */
interface Seen {
  readonly text: string;
}

const QUESTION = new RegExp(
  `^Question: The (${RELATIONS.join("|")}) of the ${TITLE} (\\p{L}+) .* (city|country)\\?`,
  "u",
);

export function askedIn(text: string): Asked | undefined {
  const found = QUESTION.exec(text);
  if (found === null) return undefined;
  return { relation: found[1] as Relation, of: found[2] ?? "", attribute: found[3] as Attribute };
}

/** The steps that ran, oldest first. */
function seenIn(messages: readonly Message[]): Seen[] {
  return messages.flatMap(({ role, content }) => {
    const text = /^Observation: (.*)$/mu.exec(content)?.[1];
    if (role !== "user" || text === undefined) return [];
    return [{ text }];
  });
}

/** The document about a person, where a search has brought it. */
const aboutIn = (seen: readonly Seen[], name: string): string | undefined =>
  seen.find(({ text }) => text.startsWith(`${TITLE} ${name}:`))?.text;

const say = (thought: string, action: string): string => `Thought: ${thought}\nAction: ${action}`;

/** The behaviour of an episode, by the shares of its question's relation. */
export function behaviourOf(relation: Relation, draw: string): Behaviour {
  const mixture = MIXTURES[relation];
  let left = shareOf(`behaviour ${draw}`);
  for (const behaviour of BEHAVIOURS) {
    left -= mixture[behaviour];
    if (left < 0) return behaviour;
  }
  return "good";
}

/** The reply to a prompt of the harness. After a note, a correction or its own fault the policy does what is right. */
export function replyTo(
  messages: readonly Message[],
  behaviour: Behaviour,
  names: Names,
  draw: string,
): string {
  const turns = messages.filter(({ role }) => role !== "system");
  const asked = askedIn(turns[0]?.content ?? "");
  if (asked === undefined) return say("This is no question of my world.", "FINAL[unknown]");
  const seen = seenIn(turns);
  const first = aboutIn(seen, asked.of);
  const mustEnd = /^Last step|the episode has used/m.test(turns.at(-1)?.content ?? "");
  if (first === undefined)
    return mustEnd ? say("I have not found it.", "FINAL[unknown]") : searchFirst(asked, seen, behaviour);
  const middle = new RegExp(`${asked.relation} (\\p{L}+)[,.]`, "u").exec(first)?.[1] ?? "";
  const second = aboutIn(seen, middle);
  if (second !== undefined) return answer(asked, second);
  if (mustEnd) return searchSecond(asked, middle, "early", names, draw);
  const isTold = turns.some(({ content }) => /not been given yet|^In place of/m.test(content));
  if (behaviour === "half" && !isTold) return say(bridge(asked, middle), `FINAL[${placeIn(first, asked)}]`);
  return searchSecond(asked, middle, isTold ? "good" : behaviour, names, draw);
}

const bridge = ({ relation, of }: Asked, middle: string): string =>
  `${relation} ${middle}. The ${relation} of the ${TITLE} ${of} is ${TITLE} ${middle}.`;

const placeIn = (text: string, { attribute }: Asked): string =>
  new RegExp(`${ATTRIBUTES[attribute].searched} (\\p{L}+)[,.]`, "u").exec(text)?.[1] ?? "";

function searchFirst(asked: Asked, seen: readonly Seen[], behaviour: Behaviour): string {
  const { searched } = ATTRIBUTES[asked.attribute];
  const isVague = behaviour === "repeat" && seen.length < 2;
  if (isVague) return say(`I look for the ${searched}.`, `SEARCH[${searched}]`);
  return say(`I look for the ${TITLE} ${asked.of}.`, `SEARCH[${asked.relation} ${TITLE} ${asked.of}]`);
}

function searchSecond(
  asked: Asked,
  middle: string,
  behaviour: Behaviour,
  names: Names,
  draw: string,
): string {
  const thought = bridge(asked, middle);
  if (behaviour === "early") return say(thought, `FINAL[${TITLE} ${middle}]`);
  const places = asked.attribute === "city" ? names.cities : names.countries;
  if (behaviour === "guess") return say(thought, `FINAL[${oneOf(mixed(places, draw), `guess ${draw}`)}]`);
  return say(thought, `SEARCH[${TITLE} ${middle} ${ATTRIBUTES[asked.attribute].searched}]`);
}

function answer(asked: Asked, text: string): string {
  const { searched } = ATTRIBUTES[asked.attribute];
  const place = placeIn(text, asked);
  return say(`${searched} ${place}.`, `FINAL[${place}]`);
}
