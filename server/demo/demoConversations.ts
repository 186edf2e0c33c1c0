import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type { Owner } from "#server/conversations/owners.ts";
import { sendMessage } from "#server/conversations/messages.ts";
import { getConversation, rateAnswer, startConversation } from "#server/conversations/service.ts";
import { newVisitorToken, readVisitor } from "#server/conversations/visitors.ts";
import type { Services } from "#server/core/services.ts";
import type { DemoBots } from "#server/demo/demoChatbots.ts";
import { createRandom } from "#server/demo/random.ts";
import type { Chatbot } from "#shared/chatbots/chatbots.ts";
import { isOpenState, type Turn } from "#shared/conversations/conversations.ts";
import type { User } from "#shared/core/users.ts";

/** Paths through the scene: the number of the answer at each step. Two reach the goal, two fail, one stops midway. */
const ways = [[0, 0, 0], [1, 0, 0, 0], [1, 1], [0, 0, 1], [0]];
const handbookQuestions = [
  ["When must I report a near miss?", "Can I report it without my name?"],
  ["Which gloves do I need up to 1,000 volts?", "How often are the gloves tested?"],
  ["Who is the HSE manager?"],
  ["How many days of parental leave do fathers have?"],
  ["Where do oily rags belong?", "What about batteries?"],
  ["I clicked a link in a suspicious email. What do I do?"],
  ["Is the canteen open on Sundays?"],
  ["How fast may I drive on the site?"],
  ["Until when do I request holiday for the summer?", "How many days may be carried over?"],
  ["Who fits the lock before work on a machine?"],
];
const eventQuestions = [
  ["How do I get there by train?", "Where do I park my car?"],
  ["What do I bring?"],
  ["How do I cancel if I cannot come?"],
  ["Is there a vegan lunch?"],
  ["Can I bring my dog?"],
  ["Can I send somebody else in my place?"],
];
/** All conversations are in the default period of the analytics. */
const DAYS = 27;
const LEARNERS = 14;
const PER_LEARNER = 2;
const VISITORS = 14;

/**
 * A month of conversations: learners practise and ask, visitors ask about events. Some answers are rated, and some
 * questions are not answered.
 */
export async function addConversations(
  services: Services,
  bots: DemoBots,
  conversationsId: string,
  learners: User[],
): Promise<void> {
  const random = createRandom(29);
  const talk = createTalks(services, random);
  for (const [i, learner] of learners.slice(0, LEARNERS).entries()) {
    const owner = { user: learner, visitor: null };
    for (let n = 0; n < PER_LEARNER; n++) {
      await talk(bots.rolePlay, owner, conversationsId, ways[(i + n * 3) % ways.length] ?? []);
      await talk(bots.tutor, owner, null, handbookQuestions[(i * PER_LEARNER + n) % handbookQuestions.length] ?? []);
    }
  }
  for (let n = 0; n < VISITORS; n++) {
    const visitor = readVisitor(services, newVisitorToken(services, bots.events.id).token);
    if (visitor)
      await talk(bots.events, { user: null, visitor }, null, eventQuestions[n % eventQuestions.length] ?? []);
  }
}

/** Returns a function that holds a conversation through the services and then moves it into the past. */
function createTalks(services: Services, random: () => number) {
  let count = 0;
  return async (bot: Pick<Chatbot, "id">, owner: Owner, courseId: string | null, messages: (string | number)[]) => {
    const ctx = { ...services, user: owner.user };
    const id = randomUUID();
    // Each comes from its own network, so that together they do not exceed the limit of one.
    const address = `10.20.${count++}.1`;
    const channel = courseId ? ("course" as const) : ("page" as const);
    const begun = await startConversation(
      ctx,
      owner,
      {
        id,
        chatbotId: bot.id,
        courseId,
        sessionId: null,
        eventId: null,
        channel,
      },
      address,
    );
    let last: Turn | undefined = begun.turns.at(-1);
    for (const one of messages) {
      const text = typeof one === "number" ? (last?.options[one] ?? "") : one;
      const message = { id: randomUUID(), text, parentId: last?.id ?? null, buttonId: null, spoken: false };
      await sendMessage(ctx, owner, id, message, address);
      last = await answerOf(() => getConversation(ctx, owner, id));
    }
    const luck = random();
    if (last && luck < 0.3)
      await rateAnswer(
        ctx,
        owner,
        last.id,
        last.state === "refused"
          ? { rating: "down", reason: "notHelpful", text: "" }
          : { rating: "up", reason: null, text: "" },
      );
    await backdate(services, id, timeOf(random));
    if (owner.user) await moveLastActive(services, owner.user.id);
  };
}

async function answerOf(read: () => Promise<{ turns: Turn[] }>) {
  for (;;) {
    const last = (await read()).turns.at(-1);
    if (!last || !isOpenState(last.state)) return last;
    await wait(5);
  }
}

/** A time in the evening or in a break, within the last month. */
function timeOf(random: () => number) {
  const at = new Date(Date.now() - (1 + random() * (DAYS - 1)) * 86_400_000);
  at.setUTCHours([6, 11, 15, 19, 20, 21][Math.floor(random() * 6)] ?? 19, Math.floor(random() * 60));
  return at.toISOString();
}

/** Seconds between two questions. */
const PACE = 70;
/** Moves a conversation so that it starts at `at`. An answer is created with its question, and takes its time. */
async function backdate({ db }: Services, id: string, at: string) {
  const place = sql`number - (role = 'assistant')::int`;
  const asked = sql`${at}::timestamptz + make_interval(secs => (${place}) * ${PACE / 2}::float8)`;
  await db
    .updateTable("turns")
    .set({
      createdAt: sql<string>`${asked}`,
      firstAt: sql<string>`${asked} + (first_at - created_at)`,
      finishedAt: sql<string>`${asked} + (finished_at - created_at)`,
    })
    .where("conversationId", "=", id)
    .execute();
  const last = sql<string>`(
    select max(coalesce(finished_at, created_at))
    from turns
    where conversation_id = conversations.id
  )`;
  await db
    .updateTable("conversations")
    .set({ startedAt: at, lastAt: last, endedAt: sql<string>`case when ended_at is not null then ${last} end` })
    .where("id", "=", id)
    .execute();
}

/** A person was last active at the end of their last conversation, unless they were in a course later. */
async function moveLastActive({ db }: Services, userId: string) {
  await db
    .updateTable("users")
    .set({
      lastActive: sql<string>`greatest(last_active, (
        select max(last_at)
        from conversations
        where user_id = users.id
      ))`,
    })
    .where("id", "=", userId)
    .execute();
}
