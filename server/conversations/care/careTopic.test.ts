import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { modelFile, writeModel } from "#server/conversations/care/careModel.ts";
import { findCareTopic } from "#server/conversations/care/careTopic.ts";
import { readTraining, trainCareModel } from "../../../scripts/_careTraining.ts";

test("finds calls for help in four languages, inflected and with words between", () => {
  const topics = [
    "I've been thinking about suicide since Easter",
    "Honestly I wish I was dead",
    "Ich überlege, mir das Leben zu nehmen.",
    "j'ai plus la force d'exister",
    "no quiero seguir viviendo",
    "I am going to shoot my manager",
    "Ich bringe den Betriebsleiter um",
    "lundi je le plante",
    "voy a matar al gerente",
    "my boss grabbed me in the corridor",
    "Der Meister hat mich geschlagen",
    "mon chef me harcèle",
    "mi jefe me insulta todos los días",
  ].map(findCareTopic);
  expect(topics).toEqual([...Array(5).fill("selfHarm"), ...Array(4).fill("violence"), ...Array(4).fill("harassment")]);
});

test("denials, quotations, roles and questions about a course raise no alarm", () => {
  const topics = [
    "I would never hurt myself, don't worry.",
    "Ich würde mir nie etwas antun.",
    "il m'a pas menacé",
    "a mí nadie me acosa",
    "„Dann bring mich doch um“, sagt die Bewohnerin im Lehrfilm. Ist das Definition 2?",
    "Scenario B, I play the employee: I will kill my boss",
    "What does the module say if a colleague says I want to die?",
    "How do I kill the zombie process?",
    "Me toca hacer el módulo 3 esta semana",
  ].map(findCareTopic);
  expect(topics.filter(Boolean)).toEqual([]);
});

test("finds calls for help that no term names", () => {
  const topics = [
    "The dog is with my sister and the letters are on the table. I will not wake up tomorrow.",
    "wenn er getrunken hat schlägt er mich, heute hab ich mich im bad eingesperrt",
    "je l'attends ce soir derrière l'entrepôt avec la barre de fer, il va comprendre",
    "me encierra en casa y me pega delante de los niños",
  ].map(findCareTopic);
  expect(topics).toEqual(["selfHarm", "harassment", "violence", "harassment"]);
});

test("finds a call for help in the middle of a long message", () => {
  const filler = "The second chapter explains how to book a room and whom to ask about the budget. ".repeat(20);
  expect(findCareTopic(filler)).toBeNull();
  expect(findCareTopic(`${filler}Nobody would miss me if I was dead, I have the pills here. ${filler}`)).toBe(
    "selfHarm",
  );
});

test("leaves messages of a few words to the terms", () => {
  const messages = ["Break off", "Black", "Stop", "No", "bed", "Goodbye then", "the hand again?"];
  expect(messages.map(findCareTopic)).toEqual(messages.map(() => null));
  expect(findCareTopic("I want to die")).toBe("selfHarm");
});

test("says nothing about languages that it does not know", () => {
  const messages = [
    "Hvordan får jeg kursbeviset mitt?",
    "Jak długo trwa szkolenie?",
    "証明書はいつ届きますか",
    "ok",
    "",
  ];
  expect(messages.map(findCareTopic)).toEqual(messages.map(() => null));
});

test("the model is that of its training messages", () => {
  expect(readFileSync(modelFile, "utf8")).toBe(writeModel(trainCareModel(readTraining())));
});
