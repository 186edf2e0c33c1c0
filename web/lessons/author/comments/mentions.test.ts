import { expect, test } from "vitest";
import { mentionsToNames, namesToMentions, withChosen } from "#web/lessons/author/comments/mentions.ts";
import { mentionOf } from "#shared/lessons/comments/comments.ts";

const person = (n: number, name: string) => ({ id: `${n}`.repeat(8) + "-0000-4000-8000-000000000000", name });
const [ann, annLee, max, twin, older] = [
  person(1, "Ann"),
  person(2, "Ann Lee"),
  person(3, "Max"),
  person(4, "Kim Berg"),
  person(5, "Kim Berg"),
];
const people = [ann, annLee, max, twin, older];

test.for([
  ["@Ann, look", `${mentionOf(ann.id)}, look`],
  ["@Ann Lee (@Max)", `${mentionOf(annLee.id)} (${mentionOf(max.id)})`],
  ["@Anna and @Max2 and @Annä", "@Anna and @Max2 and @Annä"],
  ["write to info@Max", "write to info@Max"],
  ["@Ann Leeds", `${mentionOf(ann.id)} Leeds`],
] as const)("“%s” mentions whole names only", ([text, stored]) => {
  expect(namesToMentions(text, people, [])).toBe(stored);
});

test("of two people with one name those are mentioned who were chosen", () => {
  let chosen = withChosen("@Ki", 0, [], older);
  chosen = withChosen("@Kim Berg and @Ki", 14, chosen, twin);
  const text = "@Kim Berg and @Kim Berg";
  const stored = `${mentionOf(older.id)} and ${mentionOf(twin.id)}`;
  expect(namesToMentions(text, people, chosen)).toBe(stored);
  // The next one is chosen before both.
  chosen = withChosen(`@Ki ${text}`, 0, chosen, twin);
  expect(namesToMentions(`@Kim Berg ${text}`, people, chosen)).toBe(`${mentionOf(twin.id)} ${stored}`);
});

test("an edit keeps who is mentioned, also those who are no longer in the list", () => {
  const gone = person(6, "Gro");
  const stored = `${mentionOf(gone.id)} and ${mentionOf(older.id)} and ${mentionOf(person(7, "").id)}`;
  const { text, chosen } = mentionsToNames(stored, new Map([gone, older].map(({ id, name }) => [id, name])));
  expect(text).toBe(`@Gro and @Kim Berg and ${mentionOf(person(7, "").id)}`);
  expect(namesToMentions(text, people, chosen)).toBe(stored);
});
