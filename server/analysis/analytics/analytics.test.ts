import { expect, test } from "vitest";
import { prompts } from "#shared/prompts/prompts.ts";
import { analysis } from "#shared/analysis/analysis.ts";
import { analyticsRows, countedFigure, type CountedFigure } from "#shared/analysis/conversationAnalytics.ts";
import { createBotMaker } from "#test/bots.ts";
import { start } from "#test/start.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { addAnswers, addTalks, DAY_MS, type Said } from "#test/randomTalks.ts";

// The figures of conversations

const server = await start();
const { app, as, make, db } = server;
const { createBot } = createBotMaker(server);
const admin = await make.admin();

const zone = "Pacific/Chatham";
const dayOf = (at: number) => new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(at);

const median = (values: number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
};

test.each([1, 7, 42])("every figure equals a plain recomputation (seed %i)", async (seed) => {
  const { learner, company, course } = await make.classroom();
  const people = [learner, await make.learner(company.accessCode), await make.learner(company.accessCode)];
  const bots = [(await createBot(admin)).id, (await createBot(admin)).id];
  const { body: prompt } = await as(admin)(prompts.create, {
    body: { key: `tone-${seed}`, name: "Tone", purpose: "chatbot", body: "Be kind." },
  });
  const { body: next } = await as(admin)(prompts.saveVersion, {
    params: { id: prompt.id },
    body: { body: "Be brief.", note: "", version: prompt.version },
  });
  const versions = [prompt.draft.id, next.draft.id];
  const courseIds = [course.id, (await make.course(admin)).id, (await make.course(admin)).id];
  const talks = await addTalks(db, seed, bots, people, versions, courseIds);
  const tried = await addAnswers(db, people, courseIds.slice(0, 2));
  const [to, from] = [dayOf(Date.now()), dayOf(Date.now() - 19 * DAY_MS)];
  const query = { from, to, zone, companyId: company.id };
  const { body } = await as(admin)(analysis.analytics, { query });
  const counted = talks.filter((talk) => {
    const day = dayOf(talk.at);
    return !talk.isPreview && talk.answers.length > 0 && day >= from && day <= to;
  });
  const answers = counted.flatMap((talk) => talk.answers);
  const answered = answers.filter(({ state }) => ["done", "refused", "cut"].includes(state));
  const guided = answered.filter(({ state, giveAway }) => state !== "refused" && giveAway !== null);
  const solutions = counted.flatMap(({ user, course: of, at, answers: given }) =>
    given.flatMap(({ state, giveAway }, index) => {
      const triedAt = tried.get(`${user} ${of}`);
      if (triedAt === undefined || giveAway !== "full" || !["done", "cut"].includes(state)) return [];
      return [{ isEarly: at + index * 10_000 <= triedAt, user, of }];
    }),
  );
  const rated = answers.filter(({ rating }) => rating !== null);
  const ended = counted.filter(({ outcome }) => outcome !== null);
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  expect(body.now).toMatchObject({
    conversations: counted.length,
    people: new Set(counted.map(({ user }) => user)).size,
    questions: answers.length,
    ended: ended.length,
    goal: share(ended.filter(({ outcome }) => outcome === "goal").length, ended.length),
    ratings: rated.length,
    thumbsUp: share(rated.filter(({ rating }) => rating === "up").length, rated.length),
    answers: answered.length,
    noAnswer: share(answers.filter(({ state }) => state === "refused").length, answered.length),
    fullSolutions: share(guided.filter(({ giveAway }) => giveAway === "full").length, guided.length),
    partialSolutions: share(guided.filter(({ giveAway }) => giveAway === "partial").length, guided.length),
    earlySolutions: share(solutions.filter(({ isEarly }) => isEarly).length, solutions.length),
    tokens: answers.length * 15,
    costMicros: answers.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    unpriced: answers.filter(({ cost }) => cost === null).length,
  });
  expect(body.now.firstWordMs).toBeCloseTo(median(answers.map(({ wait }) => wait)) ?? 0, 3);
  expect(body.days.map(({ day }) => day)).toHaveLength(20);
  for (const { day, count } of body.days)
    expect([day, count]).toEqual([day, counted.filter(({ at }) => dayOf(at) === day).length]);
  expect(body.hours.reduce((sum, { count }) => sum + count, 0)).toBe(answers.length);
  for (const bot of body.chatbots) expect(bot.conversations).toBe(counted.filter((talk) => talk.bot === bot.id).length);
  const ofVersion = (id: string) => answered.filter((one) => one.prompt === id);
  expect(body.prompts.map(({ number }) => number)).toEqual([2, 1]);
  for (const { id, answers: count, noAnswer, thumbsUp } of body.prompts) {
    const own = answers.filter((one) => one.prompt === id);
    const ratedOfIt = own.filter(({ rating }) => rating !== null);
    expect([count, noAnswer, thumbsUp]).toEqual([
      ofVersion(id).length,
      share(own.filter(({ state }) => state === "refused").length, ofVersion(id).length),
      share(ratedOfIt.filter(({ rating }) => rating === "up").length, ratedOfIt.length),
    ]);
  }
  for (const row of [...body.courses, ...body.companies]) {
    const own = counted.filter((talk) => row.id === (row.id === company.id ? company.id : talk.course));
    expect([row.name, row.conversations]).toEqual([row.name, own.length]);
    expect(row.questions).toBe(own.flatMap((talk) => talk.answers).length);
  }
  expect(body.companies.map(({ id, name }) => [id, name])).toEqual([[company.id, company.name]]);
  expect(body.courses.at(-1)).toMatchObject({ id: null, name: "" });
  for (const { id, earlySolutions } of body.courses) {
    const own = solutions.filter(({ of }) => of === id);
    expect(earlySolutions).toBe(share(own.filter(({ isEarly }) => isEarly).length, own.length));
  }

  // Every figure opens the conversations that it counts.
  const behind = async (by: object) => {
    const { body: list } = await as(admin)(analyticsRows.conversations, { query: { ...query, ...by, size: 200 } });
    expect(list.items).toHaveLength(list.total);
    return list.total;
  };
  const having = (is: (one: Said) => boolean) => counted.filter((talk) => talk.answers.some(is)).length;
  const isShown = ({ state }: Said) => state === "done" || state === "cut";
  expect(await behind({})).toBe(counted.length);
  expect(await behind({ courseId: "none" })).toBe(counted.filter((talk) => talk.course === null).length);
  expect(await behind({ courseId: course.id })).toBe(counted.filter((talk) => talk.course === course.id).length);
  const expected: Record<CountedFigure, number> = {
    ended: ended.length,
    goal: ended.filter(({ outcome }) => outcome === "goal").length,
    ratings: having(({ rating }) => rating !== null),
    thumbsUp: having(({ rating }) => rating === "up"),
    noAnswer: having(({ state }) => state === "refused"),
    guided: having((one) => isShown(one) && one.giveAway !== null),
    fullSolutions: having((one) => isShown(one) && one.giveAway === "full"),
    partialSolutions: having((one) => isShown(one) && one.giveAway === "partial"),
    earlySolutions: counted.filter(({ user, course: of, at, answers: given }) =>
      given.some((one, index) => {
        const triedAt = tried.get(`${user} ${of}`);
        return triedAt !== undefined && one.giveAway === "full" && isShown(one) && at + index * 10_000 <= triedAt;
      }),
    ).length,
    timed: counted.length,
    cost: having(({ cost }) => (cost ?? 0) > 0),
    unpriced: having(({ cost }) => cost === null),
  };
  for (const figure of countedFigure.options)
    expect([figure, await behind({ figure })]).toEqual([figure, expected[figure]]);
  for (const [model, expectedCount] of [
    ["m1", counted.length],
    ["m2", 0],
  ] as const) {
    expect(await behind({ model })).toBe(expectedCount);
    const { body: ofModel } = await as(admin)(analysis.analytics, { query: { ...query, model } });
    expect([ofModel.now.conversations, ofModel.models.length > 0]).toEqual([expectedCount, expectedCount > 0]);
  }
  expect(await behind({ promptVersionId: versions[0] })).toBe(having(({ prompt: id }) => id === versions[0]));
  for (const { questions, conversations } of body.leaving)
    expect(await behind({ leftAfter: questions })).toBe(conversations);
  const cells = await Promise.all(
    body.hours.slice(0, 5).map((cell) => behind({ weekday: cell.weekday, hour: cell.hour })),
  );
  for (const [place, matches] of cells.entries()) {
    expect(matches).toBeGreaterThan(0);
    expect(matches).toBeLessThanOrEqual(body.hours[place]!.count);
  }

  // The export has the rows of the tables.
  const file = await app.inject({
    url: `${analyticsRows.export.path}?${new URLSearchParams(query)}`,
    headers: { authorization: `Bearer ${admin.token}` },
  });
  const rowsOf = (by: string) =>
    String(file.body)
      .split("\r\n")
      .filter((line) => line.startsWith(`${by},`));
  expect(rowsOf("Course")).toHaveLength(body.courses.length);
  expect(rowsOf("Day").map((line) => line.split(",").slice(1, 3))).toEqual(
    body.days.map(({ day, count }) => [day, String(count)]),
  );
  expect(rowsOf("Company")[0]).toContain(`${company.name},${counted.length},`);

  const refused = answers.filter(({ state }) => state === "refused").length;
  expect(body.unansweredTotal).toBe(refused);
  expect(body.unanswered.reduce((sum, { times }) => sum + times, 0)).toBe(refused);
});

test("the list and the export have only the company of an admin who is limited to it", async () => {
  const [mine, other] = [await make.classroom(), await make.classroom()];
  const bot = await createBot(admin);
  await addTalks(db, 3, [bot.id], [mine.learner], [], []);
  await addTalks(db, 3, [bot.id], [other.learner], [], []);
  const manager = await make.admin();
  await limitToCompany(db, manager, mine.company.id);
  const query = { from: dayOf(Date.now() - 60 * DAY_MS), to: dayOf(Date.now()), chatbotId: bot.id, zone };
  const { body: all } = await as(admin)(analyticsRows.conversations, { query });
  const { body } = await as(manager)(analyticsRows.conversations, { query: { ...query, size: 200 } });
  expect([body.total * 2, new Set(body.items.map(({ company }) => company))]).toEqual([
    all.total,
    new Set([mine.company.name]),
  ]);
  const foreign = { ...query, companyId: other.company.id };
  expect((await as(manager)(analyticsRows.conversations, { query: foreign })).body.total).toBe(0);
  const file = await app.inject({
    url: `${analyticsRows.export.path}?${new URLSearchParams(query)}`,
    headers: { authorization: `Bearer ${manager.token}` },
  });
  expect(file.body).toContain(`Company,${mine.company.name},`);
  expect(file.body).not.toContain(`Company,${other.company.name},`);
});

test("periods are bounded and in order", async () => {
  const read = (from: string, to: string) => as(admin)(analysis.analytics, { query: { from, to } });
  expect((await read("2026-03-02", "2026-03-01")).body).toMatchObject({
    issues: [{ path: "to", code: "analysis.daysReversed" }],
  });
  expect((await read("2020-01-01", "2026-03-01")).body).toMatchObject({ issues: [{ code: "analysis.tooLong" }] });
  expect((await read("2026-03-01", "2026-03-01")).body.now).toMatchObject({ conversations: 0, goal: null });
  const inZone = (zone: string) =>
    as(admin)(analysis.analytics, { query: { from: "2026-03-01", to: "2026-03-01", zone } });
  for (const offset of ["+02:00", "-0330"])
    expect((await inZone(offset)).body).toMatchObject({ issues: [{ path: "zone", code: "companies.badTimezone" }] });
});

test("every model and version of a prompt has a row; the answers add up to the figures", async () => {
  const { learner, course } = await make.classroom();
  const bot = await createBot(admin);
  const talks = await addTalks(db, 11, [bot.id], [learner], [], [course.id]);
  const all = talks.filter(({ isPreview }) => !isPreview).flatMap(({ answers }) => answers);
  const ids = db
    .selectFrom("conversations")
    .where("chatbotId", "=", bot.id)
    .where("isPreview", "=", false)
    .select("id");
  const turns = await db
    .selectFrom("turns")
    .where("role", "=", "assistant")
    .where("conversationId", "in", ids)
    .select(["id", "state"])
    .execute();
  expect(turns).toHaveLength(all.length);
  for (const [at, { id }] of turns.entries())
    await db
      .updateTable("turns")
      .set({ model: `model ${at % 14}` })
      .where("id", "=", id)
      .execute();
  const query = { from: dayOf(Date.now() - 60 * DAY_MS), to: dayOf(Date.now()), chatbotId: bot.id, zone };
  const { body } = await as(admin)(analysis.analytics, { query });
  const isAnswer = ({ state }: { state: string }) => ["done", "refused", "cut"].includes(state);
  const expected = Array.from({ length: 14 }, (_, place) => [
    `model ${place}`,
    turns.filter((turn, at) => at % 14 === place && isAnswer(turn)).length,
  ]);
  expect(body.models.map(({ model, answers }) => [model, answers]).toSorted()).toEqual(expected.toSorted());
  expect(body.models.reduce((sum, { answers }) => sum + answers, 0)).toBe(body.now.answers);
});
