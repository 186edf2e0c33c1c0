import { type Colleague, mentionOf, readMentions } from "#shared/lessons/comments/comments.ts";

// Mentions are stored by the id of the person and written by their name

/** What was typed after an `@` before the caret, at most two words. */
export function mentionAt(text: string, caret: number): { from: number; query: string } | null {
  const found = /(?:^|[\s(])@([^\s@]*(?: [^\s@]*)?)$/.exec(text.slice(0, caret));
  if (!found) return null;
  const query = found[1] ?? "";
  return { from: caret - query.length - 1, query };
}

/** The people mentioned in a text, in the order of their mentions: two may have the same name. */
export function mentionsToNames(text: string, names: ReadonlyMap<string, string>) {
  const chosen: Colleague[] = [];
  const words = readMentions(text).map(({ text: word, userId }) => {
    const name = userId === null ? undefined : names.get(userId);
    if (userId === null || name === undefined) return word;
    chosen.push({ id: userId, name });
    return `@${name}`;
  });
  return { text: words.join(""), chosen };
}

/** A mention starts a word and ends one: `info@Max` and `@Anna` mention neither Max nor Ann. */
const isPartOfWord = (text: string, at: number) => /[\p{L}\p{N}\p{M}_]/u.test(charAt(text, at));
const charAt = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at) ?? 0x20);

/**
 * The text with ids in place of names. `chosen`: who was chosen or mentioned before, in the order of the text; the same
 * name means them in that order. The longest name comes first: “Ann Lee” before “Ann”.
 */
export function namesToMentions(text: string, people: Colleague[], chosen: Colleague[]) {
  const known = [...chosen, ...people].toSorted((a, b) => b.name.length - a.name.length);
  const left = [...chosen];
  let result = "";
  for (let at = 0; at < text.length; at++) {
    const isStart = text[at] === "@" && (at === 0 || /[\s(]/.test(text[at - 1]!));
    const found = isStart
      ? known.find(({ name }) => text.startsWith(name, at + 1) && !isPartOfWord(text, at + 1 + name.length))
      : undefined;
    if (!found) {
      result += text[at];
      continue;
    }
    const next = left.findIndex(({ name }) => name === found.name);
    const person = next < 0 ? found : left.splice(next, 1)[0]!;
    result += mentionOf(person.id);
    at += found.name.length;
  }
  return result;
}

/** The chosen people after another one was chosen before a place in the text. */
export function withChosen(text: string, from: number, chosen: Colleague[], person: Colleague) {
  const before = text.slice(0, from).split(`@${person.name}`).length - 1;
  const same = chosen.filter(({ name }) => name === person.name).toSpliced(before, 0, person);
  return [...chosen.filter(({ name }) => name !== person.name), ...same];
}
