import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdmin, readablePassword } from "#server/auth/admins/firstAdmin.ts";
import { register } from "#server/auth/account/registration.ts";
import { userColumns } from "#server/auth/service.ts";
import { setComplete } from "#server/completions/decisions.ts";
import { createCompany } from "#server/companies/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { Services } from "#server/core/services.ts";
import { assignCourses } from "#server/courses/assignments.ts";
import { setCourseStatus, updateCourse } from "#server/courses/service.ts";
import { importPackage } from "#server/courses/versions.ts";
import { inviteLearners } from "#server/learners/invitations.ts";
import { setManager } from "#server/managers/setManager.ts";
import { suspendLearners } from "#server/learners/suspensions.ts";
import { companyInput } from "#shared/companies/companies.ts";
import { SUGGESTED } from "#shared/reminders/reminders.ts";
import type { User } from "#shared/core/users.ts";
import { addAnalysis } from "#server/demo/demoAnalysis.ts";
import { addCatalogue } from "#server/demo/demoCatalogue.ts";
import { addCertificates } from "#server/demo/demoCertificates.ts";
import { addChatbots } from "#server/demo/demoChatbots.ts";
import { addConversations } from "#server/demo/demoConversations.ts";
import { addGroups } from "#server/demo/demoGroups.ts";
import { addPath } from "#server/demo/demoPaths.ts";
import { addRequirements } from "#server/demo/demoRequirements.ts";
import { addRules } from "#server/demo/demoRules.ts";
import { addHandbook } from "#server/demo/demoDocuments.ts";
import { addEvents } from "#server/demo/demoEvents.ts";
import { backdateCreation } from "#server/demo/demoHistoryRows.ts";
import { createHistory, type Visit } from "#server/demo/demoHistory.ts";
import { addLessons, createLessonCourse } from "#server/demo/demoLessons.ts";
import { type Draw, lessonVisit } from "#server/demo/demoLessonVisits.ts";
import { savePlan } from "#server/reminders/plans.ts";
import { drawQuiz } from "#server/player/quizzes/draw.ts";
import { people } from "#server/demo/demoPeople.ts";
import { addPrompts } from "#server/demo/demoPrompts.ts";
import { addSimulator } from "#server/demo/demoStatements.ts";
import { addVariables } from "#server/demo/demoVariables.ts";
import { addTalk, talkVisit } from "#server/demo/demoSession.ts";
import { packDemo } from "#server/demo/demoPackages.ts";
import { conversations, phishing, seenWithQuiz } from "#server/demo/demoVisits.ts";
import { createRandom } from "#server/demo/random.ts";

const slides = ["start", "why", "levers", "email", "address", "sms", "call", "minutes", "report", "sort", "habits"];

/** The first learners of the list also take the second course. */
const CONVERSATION_LEARNERS = 14;
const PATH_LEARNERS = 18;
const LESSON_LEARNERS = 12;
/** The learner who never opened the first course (`phishingVisits`), and took it in a classroom. */
const UNOPENED = 13;

/**
 * Fills a new database through the application's own services: an admin, a company with thirty learners, two courses,
 * events, and three months of realistic history. Returns the sign-ins to print.
 */
export async function fillDemo(services: Services): Promise<string[]> {
  const password = services.config.demoPassword ?? readablePassword();
  const adminId = await createAdmin(services, { email: "admin@example.com", name: "Ingrid Solberg", password });
  const ctx = { ...services, user: await readUser(services, adminId) };
  const company = await createCompany(
    ctx,
    companyInput.parse({
      name: "Norrvik Energi",
      timezone: "Europe/Oslo",
      contactName: "Hanne Dahl",
      contactEmail: "hanne.dahl@norrvik.example",
      learnerLimit: 60,
      color: "#c80f2e",
      welcome: "Welcome to the HSE Academy of Norrvik Energi.",
    }),
  );
  const [phishingId, conversationsId] = [
    await addCourse(ctx, "phishing", "PHISH-01", 12),
    await addCourse(ctx, "conversations", "TALK-04", 40),
  ];
  const heightsId = await createLessonCourse(ctx);
  await addVariables(ctx, { phishingId, conversationsId });
  await addPrompts(ctx, { phishingId, conversationsId });

  const learners: User[] = [];
  for (const name of ["Jonas Hagen", ...people]) {
    const email =
      name === "Jonas Hagen"
        ? "learner@example.com"
        : `${name
            .normalize("NFKD")
            .replace(/[\u0300-\u036f]/g, "")
            .replaceAll("ł", "l")
            .toLowerCase()
            .replace(" ", ".")}@norrvik.example`;
    await register(services, { name, email, password, accessCode: company.accessCode }, "demo");
    learners.push(await readUser(services, email));
  }
  const random = createRandom(7);
  for (const { id } of learners)
    await services.db
      .updateTable("users")
      .set({ createdAt: daysAgo(2 + random() * 40, random) })
      .where("id", "=", id)
      .execute();
  const foundedAt = new Date(Date.now() - 250 * 86_400_000);
  await services.db.updateTable("companies").set({ createdAt: foundedAt }).execute();
  const addedAt = new Date(foundedAt.getTime() + 40 * 86_400_000);
  await services.db.updateTable("courses").set({ createdAt: addedAt }).execute();
  await services.db.updateTable("courseVersions").set({ createdAt: addedAt.toISOString() }).execute();
  await services.db.updateTable("courseDrafts").set({ writersSince: addedAt.toISOString() }).execute();
  await assignCourses(ctx, [phishingId], { notify: false, companyIds: [company.id], userIds: [], dueDate: inDays(9) });
  await assignCourses(ctx, [conversationsId], {
    notify: false,
    companyIds: [],
    userIds: learners.slice(0, CONVERSATION_LEARNERS).map(({ id }) => id),
    dueDate: inDays(-4),
  });
  await inviteLearners(ctx, {
    companyId: company.id,
    courseIds: [],
    people: ["Eirik Tangen", "Solveig Myhre", "Chidi Eze"].map((name) => ({
      name,
      email: `${name.toLowerCase().replace(" ", ".")}@norrvik.example`,
    })),
  });

  const visit = createHistory(services);
  for (const [i, learner] of learners.entries()) {
    for (const one of phishingVisits(i)) await visit(learner, { companyId: company.id, courseId: phishingId }, one, i);
    if (i >= CONVERSATION_LEARNERS) continue;
    for (const one of conversationVisits(i))
      await visit(learner, { companyId: company.id, courseId: conversationsId }, one, i + 1);
  }
  await addTalk(ctx, services, learners[1] as User);
  await addEvents(ctx, company);
  const handbookIds = await addHandbook(ctx);
  const bots = await addChatbots(ctx, { phishingId, conversationsId, heightsId, handbookIds });
  await services.db
    .updateTable("events")
    .set({ chatbotId: bots.events.id })
    .where("visibility", "=", "public")
    .execute();
  await addLessonsAndVisits(ctx, services, { courseId: heightsId, chatbotId: bots.tutor.id, learners });
  await backdateCreation(services);
  await addCertificates(ctx, { phishingId, conversationsId, heightsId });
  await addConversations(services, bots, conversationsId, learners);
  await addAnalysis(ctx);
  const [first, sigrid, ...others] = learners.map(({ id }) => id) as [string, string, ...string[]];
  // Liv Aune, one of those whom Sigrid Berg leads, leads people herself.
  await setManager(ctx, sigrid, () => Promise.resolve([first, ...others.slice(0, 7)]));
  await setManager(ctx, others[2] as string, () => Promise.resolve(others.slice(7, 11)));
  const groupId = await addGroups(ctx, { companyId: company.id, phishingId, learners });
  await addRules(ctx, { companyId: company.id, groupId, phishingId, heightsId });
  await addRequirements(ctx, { companyId: company.id, phishingId, conversationsId, heightsId });
  await savePlan(ctx, company.id, { terms: { ...SUGGESTED, isOn: true }, version: 0 });
  await addSimulator(ctx, company.id, learners.slice(2, 11));
  await addPath(ctx, { phishingId, conversationsId, heightsId, learners: learners.slice(0, PATH_LEARNERS) });
  await addCatalogue(ctx, { companyId: company.id, phishingId, conversationsId, heightsId, learners });
  await setByHand(ctx, (learners[UNOPENED] as User).id, phishingId);
  await suspendLearners(ctx, { ids: learners.slice(-1).map(({ id }) => id) }, "Left the company");
  return [
    `Demo company: ${company.name}, access code ${company.accessCode}`,
    `Admin:    admin@example.com     password ${password}`,
    `Learner:  learner@example.com   password ${password}`,
    `Manager:  sigrid.berg@norrvik.example   password ${password}`,
  ];
}

async function setByHand(ctx: Ctx<User>, userId: string, courseId: string) {
  const { id } = await ctx.db
    .selectFrom("enrolments")
    .where("userId", "=", userId)
    .where("courseId", "=", courseId)
    .select("id")
    .executeTakeFirstOrThrow();
  await setComplete(ctx, id, { reason: "Took the course in the classroom", attemptNo: 0, status: "assigned" });
}

/** Published two months ago, and taken by a third of the people: by some in two visits, by some not to the end. */
async function addLessonsAndVisits(
  ctx: Ctx<User>,
  services: Services,
  { courseId, chatbotId, learners }: { courseId: string; chatbotId: string; learners: User[] },
) {
  const lessons = await addLessons(ctx, courseId, chatbotId);
  const publishedAt = new Date(Date.now() - 60 * 86_400_000).toISOString();
  await services.db
    .updateTable("courseVersions")
    .set({ createdAt: publishedAt })
    .where("courseId", "=", courseId)
    .execute();
  const takers = learners.slice(0, LESSON_LEARNERS);
  await assignCourses(ctx, [courseId], {
    notify: false,
    companyIds: [],
    userIds: takers.map(({ id }) => id),
    dueDate: inDays(16),
  });
  const visit = createHistory(services);
  const draw: Draw = (attemptId, { document }, no) => drawQuiz(services.config.secret, attemptId, document, no);
  for (const [i, learner] of takers.entries()) {
    const random = createRandom(131 + i);
    const target = { companyId: learner.companyId as string, courseId };
    if (i % 4 === 3) continue;
    // The learner whose sign-in is printed still has most of the course before them.
    const until = i === 0 ? 1 : i % 4 === 1 ? 3 : lessons.length;
    const first = lessonVisit(
      daysAgo(4 + random() * 40, random),
      lessons.slice(0, until),
      i,
      0.6 + random() * 0.4,
      draw,
    );
    await visit(learner, target, first, i);
    if (i % 4 === 1 && i > 4)
      await visit(
        learner,
        target,
        lessonVisit(daysAgo(1 + random(), random), lessons.slice(until), i + 50, 0.9, draw),
        i,
      );
  }
}

async function addCourse(ctx: Ctx<User>, name: "phishing" | "conversations", code: string, minutes: number) {
  const folder = await mkdtemp(join(tmpdir(), "lyceum-demo-"));
  try {
    const file = join(folder, `${name}.zip`);
    await packDemo(name, file);
    const imported = await importPackage(ctx, file, { name: `${name}.zip` });
    const summary =
      name === "phishing"
        ? "Spot the message that is not what it says, and know what to do in the first five minutes after a click."
        : "Four short parts for team leads: prepare, open, listen, and lead your own next conversation.";
    const updated = await updateCourse(ctx, imported.id, { version: imported.version, code, minutes, summary });
    await setCourseStatus(ctx, imported.id, { status: "published", version: updated.version });
    return imported.id;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const readUser = ({ db }: Services, idOrEmail: string) =>
  db
    .selectFrom("users")
    .where(idOrEmail.includes("@") ? "email" : "id", "=", idOrEmail)
    .select(userColumns)
    .executeTakeFirstOrThrow();

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A time during working hours, about `days` days ago. */
function daysAgo(days: number, random: () => number) {
  const at = new Date(Date.now() - days * 86_400_000);
  at.setUTCHours(7 + Math.floor(random() * 8), Math.floor(random() * 60), Math.floor(random() * 60));
  if (at.getUTCDay() === 0) at.setUTCDate(at.getUTCDate() - 2);
  if (at.getUTCDay() === 6) at.setUTCDate(at.getUTCDate() - 1);
  return at.getTime() > Date.now() - 3_600_000 ? new Date(Date.now() - 26 * 3_600_000) : at;
}

/** Most pass in one visit, some in two, some fail or are in progress, a few have not started. */
function phishingVisits(i: number): Visit[] {
  const random = createRandom(11 + i);
  const days = i % 6 === 1 ? 1 + (i % 5) : 4 + Math.floor(random() * 88);
  const allRightExcept = (wrong: number) => [0, 1, 2, 3, 4].map((n) => n !== wrong);
  if (i === 0)
    return [
      phishing(daysAgo(24, random), 9, slides.slice(0, 6), null),
      phishing(daysAgo(23, random), 7, slides.slice(5), allRightExcept(3), { before: slides.slice(0, 6) }),
    ];
  if (i % 9 === 4) return [];
  if (i % 9 === 7)
    return [
      phishing(daysAgo((days % 20) + 2, random), 5 + Math.floor(random() * 4), slides.slice(0, 4 + (i % 5)), null),
    ];
  if (i % 9 === 2) return [phishing(daysAgo(days, random), 8, slides, [true, false, false, true, false])];
  if (i % 9 === 5)
    return [
      phishing(daysAgo(days + 3, random), 9, slides, [true, false, true, false, true]),
      phishing(daysAgo(days, random), 6, slides, allRightExcept(-1), { first: 5, before: seenWithQuiz(slides) }),
    ];
  return [
    phishing(daysAgo(days, random), 8 + Math.floor(random() * 7), slides, allRightExcept(i % 3 === 0 ? -1 : i % 5)),
  ];
}

/** About half have completed the course, some are in progress, two are overdue and have not started. */
function conversationVisits(i: number): Visit[] {
  const random = createRandom(71 + i);
  const days = 6 + Math.floor(random() * 60);
  if (i === 0) return [conversations(daysAgo(8, random), 21, [0, 1]), conversations(daysAgo(1, random), 6, [], 2)];
  if (i === 1) return [conversations(daysAgo(6, random), 22, [0, 1]), talkVisit(daysAgo(2, random))];
  if (i % 7 === 3) return [];
  if (i % 7 === 5) return [conversations(daysAgo((days % 12) + 2, random), 14, [0], 1)];
  if (i % 7 === 6) return [conversations(daysAgo((days % 9) + 3, random), 24, [0, 1, 2])];
  return [conversations(daysAgo(days + 2, random), 22, [0, 1]), conversations(daysAgo(days, random), 19, [2, 3])];
}
