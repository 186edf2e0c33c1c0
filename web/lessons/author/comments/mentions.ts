import { type Colleague, mentionOf, readMentions } from "#shared/lessons/comments/comments.ts";

// Mentions are stored by the id of the person and written by their name

/** What was typed after an `@` before the caret, at most two words. */
export function mentionAt(text: string, caret: number): { from: number; query: string } | null {
  const found = /(?:^|[\s(])@([^\s@]*(?: [^\s@]*)?)$/.exec(text.slice(0, caret));
  if (!found) return null;
  const query = found[1] ?? "";
  return { from: caret - query.length - 1, query };
}

const nameOf = (people: Colleague[], id: string) => people.find((person) => person.id === id)?.name;

export const mentionsToNames = (text: string, people: Colleague[]) =>
  readMentions(text)
    .map((part) => (part.userId === null ? part.text : `@${nameOf(people, part.userId) ?? part.userId}`))
    .join("");

/** The longest name first: “Ann Lee” before “Ann”. */
export function namesToMentions(text: string, people: Colleague[]) {
  const sorted = people.toSorted((a, b) => b.name.length - a.name.length);
  return sorted.reduce((result, { id, name }) => result.replaceAll(`@${name}`, mentionOf(id)), text);
}
