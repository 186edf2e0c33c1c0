import { z } from "zod";
import { analyticsFilter, conversationAnalytics } from "#shared/analysis/conversationAnalytics.ts";
import { criterionScore, review, rubricAgreement } from "#shared/analysis/reviews.ts";
import { transcript } from "#shared/conversations/conversations.ts";
import { defineContracts, get, listQuery, page, post } from "#shared/core/route.ts";
import { isAdmin, isSignedIn } from "#shared/core/users.ts";

export const canReadAnalytics = isAdmin;
export const canReview = isSignedIn;
export const canScore = isAdmin;

export const analysis = defineContracts("analysis", {
  analytics: get("/api/conversation-analytics", {
    priority: "heavy",
    does: "Figures of conversations in a period, compared with the period before",
    keyScope: "reports:read",
    query: analyticsFilter,
    reply: conversationAnalytics,
  }),
  reviews: get("/api/conversation-reviews", {
    does: "List conversations to look back at: one's own, or as an admin those of a learner",
    query: listQuery.omit({ sort: true }).extend({ userId: z.uuid().optional() }),
    reply: page(
      transcript
        .pick({
          id: true,
          chatbot: true,
          course: true,
          title: true,
          startedAt: true,
          lastAt: true,
          outcome: true,
          questions: true,
          endedAt: true,
        })
        .extend({
          /** Questions for which every answer was a refusal, a failure or a limit. */
          unanswered: z.int(),
        }),
    ),
  }),
  review: get("/api/conversation-reviews/:id", {
    does: "Look back at a conversation; an admin's reading is recorded and visible to the learner",
    reply: review,
  }),
  giveFeedback: post("/api/conversation-reviews/:id/feedback", {
    does: "Let a language model give feedback on a conversation by the criteria of its chatbot",
    reply: review,
  }),
  score: post("/api/conversation-reviews/:id/scores", {
    does: "Score a conversation by the criteria of its chatbot, once and before reading what a model says about it",
    body: z.object({ scores: z.array(criterionScore).min(1).max(10) }),
    reply: review,
  }),
  skipScoring: post("/api/conversation-reviews/:id/scores/skip", {
    does: "Read the feedback of a model without scoring; the conversation cannot be scored any more",
    reply: review,
  }),
  agreement: get("/api/rubric-agreement", {
    does: "How far scores of models agree with scores of people, by chatbot and version of its criteria",
    reply: z.object({ items: z.array(rubricAgreement) }),
  }),
  object: post("/api/conversation-reviews/:id/objection", {
    does: "Say that one sees the feedback differently; the note stands beside it for every reader",
    body: z.object({ text: z.string().trim().max(1000) }),
    reply: review,
  }),
});
