import { expect, test } from "vitest";
import { addReadDocument } from "#server/documents/retrieval/addReadDocument.ts";
import { retrieve } from "#server/documents/retrieval/retrieve.ts";
import { readPlainText } from "#server/documents/parsing/plainText.ts";
import { start } from "#test/start.ts";

const { services } = await start();

async function addText(title: string, text: string, language?: string) {
  const { documentId } = await addReadDocument(services.db, { title, language, ...readPlainText(text) });
  return documentId;
}

/** The sentences that are quoted for a question, the best one first. */
async function quotesFor(question: string, documentIds: string[]) {
  const passages = await retrieve(services, { question, documentIds, limit: 6 });
  return passages.flatMap(({ text, evidence }) => evidence.map(({ start: from, end }) => text.slice(from, end)));
}

const handbook = [
  await addText("Leave", "Employees have 28 days of annual leave. Requests are made two weeks ahead."),
  await addText("Safety", "Report every accident to the shift lead at once. Helmets are worn in the plant."),
  await addText("Travel", "Travel costs are paid back within ten days. Keep every receipt."),
];

test.each([
  ["How many days of annual leave do employees have?", "Employees have 28 days of annual leave."],
  ["To whom do I report an accident?", "Report every accident to the shift lead at once."],
  ["When are travel costs paid back?", "Travel costs are paid back within ten days."],
])("quotes the sentence that answers: %s", async (question, sentence) =>
  expect((await quotesFor(question, handbook))[0]).toBe(sentence),
);

test.each(["What is the capital of Peru?", "Who won the world championship in chess?", "", "???"])(
  "quotes nothing for what no passage answers: %s",
  async (question) => expect(await quotesFor(question, handbook)).toEqual([]),
);

test.each([
  ["de", "Wie viele Urlaubstage haben Mitarbeiter?", "Alle Mitarbeiter haben 28 Urlaubstage. Der Hof ist gesperrt."],
  ["ja", "従業員の年次休暇は何日ですか", "従業員の年次休暇は28日です。工場ではヘルメットを着用します。"],
  ["hi", "वार्षिक अवकाश कितने दिन का है?", "वार्षिक अवकाश 28 दिन का है। संयंत्र में हेलमेट पहनें।"],
  ["th", "พนักงานลาพักร้อนได้กี่วัน", "พนักงานลาพักร้อนได้ 28 วัน"],
  ["ru", "Сколько дней длится ежегодный отпуск?", "Ежегодный отпуск длится 28 дней. Каски обязательны."],
])("answers in any language (%s)", async (language, question, text) => {
  const own = await addText("x", text, language);
  expect((await quotesFor(question, [...handbook, own]))[0]).toContain("28");
});

test("quotes the sentences of several passages if parts of the question lie apart", async () => {
  const quotes = await quotesFor("When are travel costs paid back and who hears of accidents?", handbook);
  expect(quotes).toContain("Travel costs are paid back within ten days.");
  expect(quotes).toContain("Report every accident to the shift lead at once.");
});

test.each([
  ["When are travle costs paid back?", "Travel costs are paid back within ten days."],
  ["To whom do I report an acident?", "Report every accident to the shift lead at once."],
  ["How many days of anual leave do employes have?", "Employees have 28 days of annual leave."],
])("corrects misspelt words by those of the documents: %s", async (question, sentence) =>
  expect((await quotesFor(question, handbook))[0]).toBe(sentence),
);

test("corrects no word by those of documents outside the search", async () => {
  const hidden = await addText("Hidden", "The password of the safe is saxophone.");
  expect(await quotesFor("What is the saxophine?", handbook)).toEqual([]);
  expect((await quotesFor("What is the saxophine?", [hidden]))[0]).toContain("saxophone");
});

test("a number that the passage lacks is not answered with another one", async () => {
  const rates = [
    await addText("Rates", "The fee for class 2 is 40 euros. The fee for class 5 is 90 euros."),
    await addText("Other", "The office is open from 9 to 5. Bring your card."),
  ];
  expect((await quotesFor("What is the fee for class 5?", rates))[0]).toContain("90 euros");
  expect(await quotesFor("What is the fee for class 77?", rates)).toEqual([]);
});
