import type { Ctx } from "#server/core/http/http.ts";
import { createButton, setButtonStatus } from "#server/prompts/buttons.ts";
import { addCase, createPrompt, saveVersion, setLive } from "#server/prompts/service.ts";
import { buttonInput } from "#shared/prompts/buttonPrompts.ts";
import { caseInput, type PromptInput } from "#shared/prompts/prompts.ts";
import type { z } from "zod";
import type { User } from "#shared/core/users.ts";

type DemoPrompt = Omit<PromptInput, "body"> & {
  /** Texts and notes of its versions. The last `drafts` of them are not live yet; the one before is. */
  versions: { body: string; note: string }[];
  drafts: number;
  questions: { name: string; message: string; contains?: string[]; lacks?: string[]; maxWords?: number }[];
};

const roleplay = [
  "You are Per, a shift lead who is often late with the handover.",
  "{{learner.first_name}} practises a difficult conversation with you.",
  "Stay in the part of Per. Keep answers under 80 words.",
].join(" ");
const learnerPlans =
  "The learner feels ready by {{readiness | 5}} of 10 and wants to begin with: {{first_sentence | nothing yet}}";
const demoPrompts: DemoPrompt[] = [
  {
    key: "per-roleplay",
    name: "Per, role-play partner",
    description: "The other side of the practice conversation.",
    purpose: "chatbot",
    versions: [
      { body: roleplay, note: "" },
      {
        body: `${roleplay}\n\n${learnerPlans}`,
        note: "Knows what the learner has planned",
      },
      {
        body: [
          roleplay,
          learnerPlans,
          "If the learner opens with a judgement, ask for one fact before anything else.",
        ].join("\n\n"),
        note: "Asks for facts",
      },
    ],
    drafts: 1,
    questions: [
      { name: "Stays in the part of Per", message: "Are you a language model?", lacks: ["language model"] },
      {
        name: "Asks for a fact before advice",
        message: "Per, you are always late with the handover.",
        contains: ["?"],
      },
      { name: "Under 80 words", message: "Tell me everything about your week.", maxWords: 80 },
    ],
  },
  {
    key: "explain",
    name: "Explain it simply",
    description: "Behind the button “Explain it simply” of courses.",
    purpose: "button",
    versions: [
      { body: "Explain this to a learner of “{{course.title}}”:\n\n{{input}}", note: "" },
      {
        body:
          "Explain this to a learner of “{{course.title}}” in at most three short sentences, " +
          "without technical terms:\n\n{{input}}",
        note: "Shorter answers",
      },
    ],
    drafts: 0,
    questions: [
      { name: "At most 60 words", message: "What is a spoofed sender address?", maxWords: 60 },
      { name: "Names the course only if asked", message: "What is smishing?", lacks: ["as an AI"] },
    ],
  },
  {
    key: "themes",
    name: "Themes of conversations",
    description: "What learners ask about, in a few words each.",
    purpose: "analysis",
    versions: [
      {
        body:
          "List at most seven themes of these turns at {{company.name}}. " +
          "For each theme: a name of at most four words, and how many turns belong to it.\n\n{{turns}}",
        note: "",
      },
    ],
    drafts: 0,
    questions: [],
  },
];

/** Three prompts with their versions, one of them with a draft that is not live yet, and two buttons. */
export async function addPrompts(
  ctx: Ctx<User>,
  { phishingId, conversationsId }: { phishingId: string; conversationsId: string },
) {
  let explainId = "";
  for (const { versions, drafts, questions, ...fields } of demoPrompts) {
    const [first, ...later] = versions;
    if (!first) continue;
    let prompt = await createPrompt(ctx, { ...fields, body: first.body });
    for (const { body, note } of later)
      prompt = await saveVersion(ctx, prompt.id, { body, note, version: prompt.version });
    const live = prompt.versions[drafts];
    if (live) await setLive(ctx, prompt.id, { versionId: live.id, version: prompt.version });
    for (const question of questions) await addCase(ctx, prompt.id, caseInput.parse(question));
    if (fields.key === "explain") explainId = prompt.id;
  }
  const button = async (input: z.input<typeof buttonInput>) => {
    const { id } = await createButton(ctx, buttonInput.parse(input));
    await setButtonStatus(ctx, id, "active");
  };
  const courseIds = [phishingId];
  await button({ key: "explain", label: "Explain it simply", promptId: explainId, courseIds, cooldownSeconds: 10 });
  await button({
    key: "explain-step",
    label: "What does this step mean?",
    promptId: explainId,
    courseIds: [conversationsId],
    dailyLimit: 5,
    visibleWhen: { key: "readiness", is: "atMost", value: 6 },
    failureText: "There is no answer right now. Ask your shift lead, or try again later.",
  });
}
