import { DEFAULT_LIST } from "../model/shipped-lists.ts";
import type { RunSettings } from "./run-settings.ts";

/**
 * `gpt-4o` of `gpt-4o at https://api.openai.com/v1`, as a model of an endpoint calls itself, of `openai:gpt-4o`, of `https://host/v1#gpt-4o`
 * and of `vscode:copilot/gpt-4o`; `recorded` of a recorded run. A model that is called by the path of its file has the file's name.
 */
function shortModel(policy: string): string {
  const [kind = policy] = policy.split(":", 1);
  if (kind === "recorded" || kind === "scripted") return kind;
  const withoutPlace = policy.replace(/ at https?:\/\/\S*$/, "");
  const afterHash = withoutPlace.split("#").at(-1) ?? withoutPlace;
  const afterKind = afterHash.replace(/^[a-z]+:(?!\/\/)/, "");
  return afterKind.split(/[/\\]/).findLast((part) => part !== "") ?? policy;
}

/** `questions` of `data/questions.jsonl`. */
function stemOf({ file }: RunSettings["questions"]): string {
  const name = file.split(/[/\\]/).at(-1) ?? file;
  return name.replace(/\.[^.]+$/, "");
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** `22 Nov, 10:12`, in the time zone of this machine. */
function shortTime(iso: string): string {
  const time = new Date(iso);
  const day = `${time.getDate()} ${MONTHS[time.getMonth()] ?? ""}`;
  return `${day}, ${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

/** The name of a new run, by what tells it from others: question file, model, setting and time (ISO 8601). */
export function runTitle(
  {
    questions,
    policy,
    setting,
    triggers,
    shard,
  }: Pick<RunSettings, "questions" | "policy" | "setting" | "triggers" | "shard">,
  createdAt: string,
): string {
  const part = shard === undefined ? [] : [`part ${shard}`];
  const list = triggers === undefined || triggers === DEFAULT_LIST ? [] : [`${triggers} triggers`];
  return [stemOf(questions), shortModel(policy), setting, ...list, ...part, shortTime(createdAt)].join(" · ");
}
