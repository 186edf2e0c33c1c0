import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { addQuestion, runQuestion } from "#server/conversations/testing.ts";
import { createBot, publishBot, updateBot } from "#server/chatbots/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { runPipeline } from "#server/documents/pipeline/pipeline.ts";
import { addText } from "#server/documents/versions.ts";
import { botSettings, type BotSettingsInput } from "#shared/chatbots/botSettings.ts";
import type { Chatbot } from "#shared/chatbots/chatbots.ts";
import templates from "#shared/chatbots/botTemplates.json" with { type: "json" };
import type { User } from "#shared/core/users.ts";

type DemoIds = { phishingId: string; conversationsId: string; heightsId: string; handbookIds: string[] };
export type DemoBots = { rolePlay: Chatbot; tutor: Chatbot; events: Chatbot };

/**
 * Three chatbots that need no language model: a scene of a course, a tutor that quotes the handbook, and one for
 * visitors.
 */
export async function addChatbots(
  ctx: Ctx<User>,
  { phishingId, conversationsId, heightsId, handbookIds }: DemoIds,
): Promise<DemoBots> {
  const rolePlay = await publish(ctx, "Practise with Per", {
    ...templates.rolePlay.settings,
    pedagogy: "scene",
    access: "course",
    courseIds: [conversationsId],
  });
  const tutor = await publish(ctx, "Handbook tutor", {
    color: "#0f5763",
    description: "Answers from the safety handbook and shows where it says so.",
    greeting: "Ask me about working at Norrvik Energi. I quote the handbook and show you the section.",
    greetings: { nb: "Spør meg om håndboken. Jeg siterer den og viser deg avsnittet." },
    persona: "You are a patient tutor. Keep answers under 120 words.",
    documentIds: handbookIds,
    answerPolicy: "documentsOnly",
    refusalText: "The handbook says nothing about that. Ask your team leader, or Hanne Dahl on 4410.",
    quickReplies: ["When must I report a near miss?", "Which gloves do I need for 1,000 volts?"],
    access: "signedIn",
    courseIds: [phishingId, conversationsId, heightsId],
  });
  const { id: faqId } = await addText(ctx, {
    title: "Coming to our events",
    text: await readFile(join(import.meta.dirname, "../../demo/events-faq.md"), "utf8"),
    folder: "Events",
    companyIds: [],
  });
  await runPipeline(ctx);
  const events = await publish(ctx, "Event assistant", {
    ...(templates.eventAssistant.settings as BotSettingsInput),
    documentIds: [faqId],
  });
  await addTests(ctx, tutor, handbookIds);
  // A draft with a change that is not published yet.
  const { id, version, name, settings } = tutor;
  const changed = await updateBot(ctx, id, {
    version,
    name,
    settings: { ...settings, persona: "You are a patient tutor. Keep answers under 80 words, with one example." },
  });
  return { rolePlay, tutor: changed, events };
}

async function publish(ctx: Ctx<User>, name: string, input: BotSettingsInput) {
  const { id, version } = await createBot(ctx, { name, settings: botSettings.parse(input) });
  return publishBot(ctx, id, { version, note: "" });
}

async function addTests(ctx: Ctx<User>, { id }: Chatbot, documentIds: string[]) {
  const questions = [
    { question: "When must I report a near miss?", facts: ["within 24 hours"], documentIds: documentIds.slice(1, 2) },
    { question: "Which gloves do I need up to 1,000 volts?", facts: ["class 0"], documentIds: documentIds.slice(0, 1) },
    { question: "How many days of parental leave do fathers have?", facts: [], documentIds: [], expectsRefusal: true },
  ];
  for (const { expectsRefusal = false, ...question } of questions) {
    const added = await addQuestion(ctx, id, { ...question, expectsRefusal });
    await runQuestion(ctx, id, added.id, { of: "live" });
  }
}
