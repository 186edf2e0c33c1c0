import { expect, test } from "vitest";
import { findCareTopic } from "#server/conversations/care/careTopic.ts";

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
