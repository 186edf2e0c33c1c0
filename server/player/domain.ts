import { defineDomain } from "#server/core/domains/domain.ts";
import { forGood, rows, withAccount } from "#server/core/domains/tables.ts";
import { closeSilentSessions } from "#server/player/jobs.ts";
import { personalData } from "#server/player/personalData.ts";
import { closeQuizzes } from "#server/player/quizzes/closing.ts";
import { playerRoutes } from "#server/player/routes.ts";

export const player = defineDomain({
  name: "player",
  uses: ["courses", "lessons", "recordings", "statements", "variables"],
  routes: [playerRoutes],
  jobs: [closeSilentSessions, closeQuizzes],
  openTo: { guests: ["player.commit", "player.lesson"], learners: ["player.launch"] },
  personalData,
  tables: {
    attempts: { growth: rows(8, "learner"), kept: withAccount },
    sessions: { growth: rows(30, "learner"), kept: withAccount },
    session_events: { growth: rows(900, "learner"), kept: withAccount },
    part_states: { growth: rows(30, "learner"), kept: withAccount },
    answers: { growth: rows(80, "learner"), kept: withAccount },
    quiz_allowances: { growth: rows(1, "learner"), kept: withAccount },
    part_history: { growth: rows(60, "learner"), kept: forGood },
    completion_history: {
      growth: rows(8, "learner"),
      kept: forGood,
      notPersonal: { "the rule of the course, and the endpoint": "rule rule_text reason" },
    },
    completion_withdrawals: {
      growth: rows(0.1, "learner"),
      kept: forGood,
      notPersonal: { "the endpoint that took a completion back": "reason" },
    },
    completion_followers: {
      growth: rows(5, "installation"),
      kept: "for good",
      notPersonal: { "a domain": "domain" },
    },
    completion_queue: {
      growth: rows(8, "learner"),
      kept: "until the domain has handled the completion",
      notPersonal: { "a domain": "domain" },
    },
  },
});
