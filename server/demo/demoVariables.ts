import { createFlow } from "#server/flows/service.ts";
import { createVariable } from "#server/variables/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { variableInput, type VariableInput } from "#shared/variables/variables.ts";
import type { User } from "#shared/core/users.ts";
import type { z } from "zod";

/** The variables of the demo. The course also sends `situation`, which is deliberately not defined. */
export async function addVariables(ctx: Ctx<User>, courses: { phishingId: string; conversationsId: string }) {
  const { phishingId, conversationsId } = courses;
  const define = (input: z.input<typeof variableInput>) =>
    createVariable(ctx, variableInput.parse(input) as VariableInput);
  const quiz = await define({
    key: "quiz_score",
    label: "Phishing quiz",
    description: "The best result of the quiz at the end of the course.",
    type: "number",
    unit: "%",
    constraints: { min: 0, max: 100 },
    writeMode: "max",
    leaderboard: true,
    courses: [{ courseId: phishingId, access: "both" }],
  });
  const level = await define({
    key: "security_level",
    label: "Security awareness",
    description: "What the phishing quiz has shown, for the examples of this course.",
    type: "choice",
    constraints: { options: ["starting out", "well prepared"] },
    courses: [{ courseId: conversationsId, access: "read" }],
  });
  await createFlow(ctx, {
    sourceVariableId: quiz.id,
    target: { kind: "variable", variableId: level.id },
    transform: { kind: "threshold", at: 80, reached: "well prepared", below: "starting out" },
    isActive: true,
    includesCurrent: false,
  });
  await define({
    key: "readiness",
    label: "Ready for the conversation",
    description: "How ready learners feel for their own next conversation.",
    type: "number",
    constraints: { min: 1, max: 10, step: 1 },
    courses: [{ courseId: conversationsId, access: "both" }],
  });
  await define({
    key: "first_sentence",
    label: "First sentence",
    description: "How learners want to open their own next conversation.",
    type: "text",
    constraints: { maxLength: 250 },
    privacy: "personal",
    courses: [{ courseId: conversationsId, access: "both" }],
  });
}

const sentences = [
  "I would like to talk about the handover of this week, because two forms are missing.",
  "Four times this month the shift began without a briefing. What happened?",
  "I noticed that the reports come in later than we agreed. How do you see it?",
  "I want us both to leave with a plan. May I begin with what I saw?",
];
const situations = ["Late handovers", "Tone in the crew chat", "Missing safety checks", "Holiday plan"];

/** What a learner shares on the last page of the second course: two ratings, a sentence and a situation. */
export function lastPageValues(random: number): [key: string, value: string | number][] {
  const first = 2 + Math.floor(random * 5);
  const at = Math.floor(random * 97);
  return [
    ["situation", situations[at % situations.length] as string],
    ["readiness", first],
    ["first_sentence", sentences[at % sentences.length] as string],
    ["readiness", Math.min(10, first + 1 + (at % 4))],
  ];
}
