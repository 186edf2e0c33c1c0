import { createFacts, iso, type Plan, range } from "./facts.ts";
import type { Table } from "./rows.ts";
import { createTalks, QUESTIONS, reportsAnswers, rubric } from "./talks.ts";
import { hashOf } from "./values.ts";

const ANSWERS = 3;

/**
 * What follows from conversations: groups of questions without an answer, feedback and scores; and the answers to the
 * questions of courses.
 */
export function judgementTables(plan: Plan): Table[] {
  const { seed } = plan;
  const { id, unit, started } = createFacts(plan);
  const { talks, exchanges } = createTalks(plan);
  /** Questions with the same words to the same chatbot are one group. */
  const refusals = function* () {
    for (const talk of talks())
      if (!talk.isPreview)
        for (const exchange of exchanges(talk))
          if (exchange.state === "refused")
            yield { ...exchange, n: talk.n, bot: talk.bot, cluster: talk.bot * QUESTIONS + exchange.question };
  };
  const judged = function* () {
    for (const talk of talks()) if (talk.kind === "rolePlay" && !talk.isPreview && unit(161, talk.n) < 0.2) yield talk;
  };
  const valueOf = (conversation: number, criterion: number) => 1 + (hashOf(seed, 162, conversation, criterion) % 5);
  return [
    {
      name: "question_clusters",
      columns: ["id", "chatbot_id", "status", "created_at"],
      *rows() {
        const known = new Set<number>();
        for (const { bot, cluster, askedAt } of refusals()) {
          if (known.has(cluster)) continue;
          known.add(cluster);
          const status = unit(163, cluster) < 0.1 ? "dismissed" : "open";
          yield [id("cluster", cluster), id("chatbot", bot), status, iso(askedAt)];
        }
      },
    },
    {
      name: "clustered_questions",
      columns: ["turn_id", "cluster_id", "question_id", "conversation_id", "asked_at"],
      *rows() {
        for (const { number, n, cluster, askedAt } of refusals())
          yield [
            id("turn", 2 * number + 1),
            id("cluster", cluster),
            id("turn", 2 * number),
            id("conversation", n),
            iso(askedAt),
          ];
      },
    },
    {
      name: "conversation_feedback",
      columns: ["conversation_id", "content", "model", "created_at"],
      *rows() {
        for (const { n, at, first } of judged()) {
          const turnIds = [id("turn", 2 * first)];
          const scores = rubric.map(({ id, name }, place) => ({ id, name, value: valueOf(n, place), turnIds }));
          const content = { summary: "The goal was reached in part.", scores, wentWell: [], tryNext: [], dropped: 1 };
          yield [id("conversation", n), content, "large-1", iso(at)];
        }
      },
    },
    {
      name: "rubric_scores",
      columns: ["conversation_id", "scores", "created_at"],
      *rows() {
        for (const { n, at } of judged()) {
          if (unit(164, n) > 0.15) continue;
          const isSame = (place: number) => unit(165, n, place) < 0.6;
          const scores = rubric.map(({ id }, place) => ({ id, value: valueOf(isSame(place) ? n : n + 1, place) }));
          yield [id("conversation", n), scores, iso(at)];
        }
      },
    },
    {
      name: "answers",
      columns: ["attempt_id", "sco", "n", "session_id", "t", "fields", "updated_at"],
      *rows() {
        for (const e of started())
          if (reportsAnswers(e.course))
            for (const n of range(ANSWERS)) {
              const isRight = hashOf(seed, 166, e.n, n) % 4 > 0;
              const fields = { id: `q${n + 1}`, type: "choice", result: isRight ? "correct" : "wrong" };
              const minutes = 5 + 10 * n;
              yield [id("attempt", e.n), "i1", n, id("session", e.n * 8), minutes * 60_000, fields, iso(e.lastAt ?? 0)];
            }
      },
    },
  ];
}
