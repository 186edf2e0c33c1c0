import { createFacts, DAY_MS, iso, type Plan, range } from "./facts.ts";
import { botName, documentsOf, modelOf, PROMPT_VERSIONS, SECOND_VERSION_DAYS } from "./chatbots.ts";
import type { Table } from "./rows.ts";
import { createTalks, type Exchange, questionText, type Talk } from "./talks.ts";
import { courseTitle, hashOf, pick } from "./values.ts";

const reasons = ["wrong", "unclear", "notHelpful", "source", "tone"];

/** What people have said to chatbots, and the calls of models for it. */
export function conversationTables(plan: Plan): Table[] {
  const { seed, until } = plan;
  const { id, unit } = createFacts(plan);
  const { talks, exchanges } = createTalks(plan);
  const connector = id("connector", 0);
  const documents = documentsOf(plan);
  const versionOf = ({ bot, at }: Talk) => bot * 2 + (at > until - SECOND_VERSION_DAYS * DAY_MS ? 1 : 0);
  const promptOf = (talk: Talk) => Math.floor((PROMPT_VERSIONS * talk.first) / (plan.messages / 2));
  const sourcesOf = ({ bot }: Talk, { number, sources, text }: Exchange) =>
    Array.from(range(sources), (n) => {
      const document = Math.floor(documents * unit(141, number, n) ** 1.6 + bot) % documents;
      const [quote = ""] = text.split(". ");
      return {
        n: n + 1,
        passageId: String(hashOf(seed, 142, number, n) % 100_000),
        documentId: id("document", document),
        versionId: id("documentVersion", document),
        title: `Rules: ${courseTitle(document)}`,
        heading: "What to do",
        page: 1 + (hashOf(seed, 143, number, n) % 20),
        quote,
        from: 100,
        to: 100 + quote.length,
      };
    });
  const whyOf = ({ bot }: Talk, { number, question }: Exchange) => ({
    query: questionText(bot, question),
    passages: Array.from(range(3), (n) => ({
      passageId: String(hashOf(seed, 142, number, n) % 100_000),
      title: `Rules: ${courseTitle(n)}`,
      heading: "What to do",
      page: null,
      score: unit(144, number, n),
      coverage: unit(145, number, n),
    })),
    instructions: `You are ${botName(bot)}. Answer from the passages only, in two to five sentences, in the language of the question. Say so if they do not answer it.`,
    retrievalMs: 5 + (hashOf(seed, 146, number) % 40),
  });
  return [
    {
      name: "conversations",
      columns: [
        "id",
        "chatbot_id",
        "version_id",
        "user_id",
        "visitor",
        "company_id",
        "course_id",
        "attempt_id",
        "title",
        "is_preview",
        "channel",
        "started_at",
        "last_at",
        "ended_at",
        "outcome",
        "questions",
      ],
      *rows() {
        for (const talk of talks()) {
          const { n, bot, user, company, enrolment, at, length, outcome, isPreview } = talk;
          const channel = enrolment ? "course" : "page";
          let [question, lastAt] = [0, at];
          for (const exchange of exchanges(talk)) {
            if (exchange.index === 0) question = exchange.question;
            lastAt = exchange.finishedAt;
          }
          yield [
            id("conversation", n),
            id("chatbot", bot),
            id("chatbotVersion", versionOf(talk)),
            user === null ? null : id("user", user),
            user === null ? `visitor-${hashOf(seed, 151, n) % 5000}` : null,
            company === null ? null : id("company", company),
            enrolment && id("course", enrolment.course),
            enrolment && id("attempt", enrolment.n),
            questionText(bot, question),
            isPreview,
            isPreview ? "preview" : channel,
            iso(at),
            iso(lastAt),
            outcome && iso(lastAt),
            outcome,
            length,
          ];
        }
      },
    },
    {
      name: "ai_usage",
      columns: [
        "id",
        "at",
        "purpose",
        "connector_id",
        "model",
        "user_id",
        "company_id",
        "chatbot_id",
        "prompt_version_id",
        "status",
        "input_tokens",
        "output_tokens",
        "is_estimated",
        "cost_micros",
        "first_token_ms",
        "total_ms",
        "expires_at",
      ],
      *rows() {
        for (const talk of talks())
          for (const { number, isCalled, state, tokensIn, tokensOut, cost, askedAt, firstAt, finishedAt } of exchanges(
            talk,
          ))
            if (isCalled)
              yield [
                id("call", number),
                iso(askedAt),
                "chat",
                connector,
                modelOf(talk.bot),
                talk.user === null ? null : id("user", talk.user),
                talk.company === null ? null : id("company", talk.company),
                id("chatbot", talk.bot),
                id("promptVersion", promptOf(talk)),
                state === "refused" ? "done" : state,
                tokensIn,
                tokensOut,
                false,
                cost,
                firstAt === null ? null : firstAt - askedAt,
                finishedAt - askedAt,
                iso(finishedAt),
              ];
      },
    },
    {
      name: "turns",
      columns: [
        "id",
        "conversation_id",
        "parent_id",
        "number",
        "role",
        "state",
        "text",
        "sources",
        "why",
        "usage_id",
        "connector",
        "model",
        "tokens_in",
        "tokens_out",
        "cost_micros",
        "give_away",
        "created_at",
        "first_at",
        "finished_at",
        "rating",
        "rating_reason",
      ],
      *rows() {
        for (const talk of talks()) for (const exchange of exchanges(talk)) yield* turnsOf(talk, exchange);
      },
    },
  ];

  function* turnsOf(talk: Talk, exchange: Exchange) {
    const { number, index, isCalled, askedAt, firstAt, finishedAt, rating } = exchange;
    const before = index === 0 ? null : id("turn", 2 * number - 1);
    const question = id("turn", 2 * number);
    const of = id("conversation", talk.n);
    const nothing = Array.from({ length: 7 }, () => null);
    const said = questionText(talk.bot, exchange.question);
    yield [
      question,
      of,
      before,
      2 * index + 1,
      "user",
      "stored",
      said,
      [],
      null,
      ...nothing,
      iso(askedAt),
      null,
      null,
      null,
      null,
    ];
    yield [
      id("turn", 2 * number + 1),
      of,
      question,
      2 * index + 2,
      "assistant",
      exchange.state,
      exchange.state === "refused" ? "I do not know. Nothing in my documents answers this." : exchange.text,
      sourcesOf(talk, exchange),
      isCalled ? whyOf(talk, exchange) : null,
      isCalled ? id("call", number) : null,
      isCalled ? "Generated" : null,
      isCalled ? modelOf(talk.bot) : null,
      exchange.tokensIn,
      exchange.tokensOut,
      exchange.cost,
      exchange.giveAway,
      iso(askedAt),
      firstAt && iso(firstAt),
      iso(finishedAt),
      rating,
      rating === "down" ? pick(reasons, seed, 152, number) : null,
    ];
  }
}
