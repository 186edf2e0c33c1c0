import { expect, test } from "vitest";
import { quote } from "#server/connectors/quotation.ts";

const passage = (id: string, text: string, title = "Handbook") => ({
  id,
  documentId: "d",
  title,
  heading: null,
  page: null,
  text,
  score: 1,
});
const handbook = [
  passage("leave", "Annual leave\nEmployees have 28 days of annual leave. Requests are made two weeks ahead."),
  passage("safety", "Report every accident to the shift lead at once. Helmets are worn in the plant."),
  passage("travel", "Travel costs are paid back within ten days. Keep every receipt."),
];
const quotedFrom = (question: string, passages = handbook) =>
  quote(question, passages).parts.flatMap(({ quote: quoted }) => quoted?.passageId ?? []);

test.each([
  ["How many days of annual leave do employees have?", "leave"],
  ["To whom do I report an accident?", "safety"],
  ["When are travel costs paid back?", "travel"],
])("quotes the passage that answers: %s", (question, id) => expect(quotedFrom(question)[0]).toBe(id));

test.each(["What is the capital of Peru?", "Who won the world championship in chess?", "", "???"])(
  "refuses what no passage answers: %s",
  (question) => {
    const { isRefused, parts } = quote(question, handbook);
    expect(isRefused).toBe(true);
    expect(parts.map(({ text }) => text).join("")).toBe("Nothing in the documents answers that.");
  },
);

test("quotes whole sentences exactly, by their offsets", () => {
  for (const { text, quote: quoted } of quote("How many days of annual leave?", handbook).parts) {
    if (!quoted) continue;
    const source = handbook.find(({ id }) => id === quoted.passageId)?.text.slice(quoted.start, quoted.end);
    expect(text.trim()).toBe(`“${source}”`);
  }
});

test.each([
  ["Wie viele Urlaubstage haben Mitarbeiter?", "Alle Mitarbeiter haben 28 Urlaubstage. Der Hof ist gesperrt."],
  ["従業員の年次休暇は何日ですか", "従業員の年次休暇は28日です。工場ではヘルメットを着用します。"],
  ["वार्षिक अवकाश कितने दिन का है?", "वार्षिक अवकाश 28 दिन का है। संयंत्र में हेलमेट पहनें।"],
  ["พนักงานลาพักร้อนได้กี่วัน", "พนักงานลาพักร้อนได้ 28 วัน"],
  ["Сколько дней длится ежегодный отпуск?", "Ежегодный отпуск длится 28 дней. Каски обязательны."],
])("answers in any language: %s", (question, text) => {
  expect(
    quotedFrom(question, [passage("other", "Unrelated text about something else."), passage("own", text)]),
  ).toContain("own");
});

test("gives the same answer every time", () => {
  const ask = () => quote("When are travel costs paid back and who reports accidents?", handbook);
  expect(ask()).toEqual(ask());
});
