import { expect, test } from "vitest";
import { addName, createNames, findNames, indexNames, type Names, removeName } from "#server/connectors/nameIndex.ts";

const none = createNames();
function hide(names: Names, text: string, own: Names = none) {
  let hidden = "";
  let done = 0;
  findNames({ own, all: [own, names] }, text, true, (from, to) => {
    hidden += `${text.slice(done, from)}…`;
    done = to;
  });
  return hidden + text.slice(done);
}
const NAMES = [
  "Lea Berg",
  "lea berg",
  "Ana María de la Cruz",
  "Anna Berg",
  "Anna Berg Stein",
  "王伟",
  "王伟明",
  "김민준",
  "Mark",
  "Bo Ek",
];

test("the longest name counts, in both orders and with a genitive", () => {
  const names = indexNames(NAMES);
  expect(hide(names, "Anna Berg Stein's dog, Cruz, Ana María de la and BERG")).toBe("…'s dog, … and …");
  expect(hide(names, "Lea Bergs and Marks car")).toBe("…s and …s car");
  expect(hide(names, "他是王伟明吗, 王伟 김민준은")).toBe("他是…吗, … …은");
  expect(hide(indexNames(["王伟", "李王伟明天"]), "王伟")).toBe("…");
  expect(hide(names, "ANNA; Berg")).toBe("…; …");
  expect(hide(none, "mark says", indexNames(["Mark"]))).toBe("… says");
});

test("removing a name leaves nothing of it, but keeps parts that others share", () => {
  const names = indexNames(NAMES);
  const expected = indexNames(NAMES);
  for (const name of ["Lea Stein", "王伟", "王小伟", "Mark", "Bo", "Anna Berg"]) addName(names, name);
  expect(hide(names, "Stein, 王小伟")).toBe("…, …");
  for (const name of ["Anna Berg", "Bo", "Mark", "王小伟", "王伟", "Lea Stein"]) removeName(names, name);
  expect(names).toEqual(expected);
  for (const name of NAMES) removeName(names, name);
  expect(names).toEqual(createNames());
});

test("a text is looked up once, however many names begin with its words", () => {
  const names = indexNames(Array.from({ length: 20_000 }, (_, at) => `Anna Name${at} Berg`));
  let steps = 0;
  class Counting<K, V> extends Map<K, V> {
    override get(key: K) {
      steps++;
      return super.get(key);
    }
    override has(key: K) {
      steps++;
      return super.has(key);
    }
  }
  const counted = Object.fromEntries(
    Object.entries(names).map(([key, map]) => [key, new Counting<unknown, unknown>(map)]),
  );
  expect(hide(counted as Names, "Anna Name19999 Berg. ".repeat(100))).toBe("…. ".repeat(100));
  hide(counted as Names, "Anna Other Bergs ".repeat(100));
  expect(steps).toBeLessThan(10_000);
});
