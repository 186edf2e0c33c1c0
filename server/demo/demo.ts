import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdmin, readablePassword } from "#server/auth/account/admins.ts";
import { register } from "#server/auth/account/registration.ts";
import { userColumns } from "#server/auth/service.ts";
import { createCompany } from "#server/companies/service.ts";
import type { Ctx } from "#server/core/http.ts";
import type { Services } from "#server/core/services.ts";
import { assignCourse } from "#server/courses/enrolments.ts";
import { setCourseStatus, updateCourse } from "#server/courses/service.ts";
import { importPackage } from "#server/courses/versions.ts";
import { inviteLearners } from "#server/learners/invitations.ts";
import { suspendLearners } from "#server/learners/service.ts";
import { companyInput } from "#shared/companies.ts";
import type { User } from "#shared/users.ts";
import { addEvents } from "#server/demo/demoEvents.ts";
import { conversations, createHistory, phishing, type Visit } from "#server/demo/demoHistory.ts";
import { packDemo } from "#server/demo/packDemo.ts";

const people = [
  "Sigrid Berg",
  "Emil Kvam",
  "Aleksandra Orlova",
  "Liv Aune",
  "Henrik Dahl",
  "Amara Okafor",
  "Nils Strand",
  "Ida Moen",
  "Tomasz Zieliński",
  "Kari Lunde",
  "Oskar Vik",
  "Fatima Haddad",
  "Per Solheim",
  "Ingeborg Nygård",
  "Jonas Lindqvist",
  "Maja Eide",
  "Lars Haugen",
  "Priya Raman",
  "Astrid Bakke",
  "Sven Hauge",
  "Elin Fjeld",
  "Mateo García",
  "Marit Sunde",
  "Anders Lie",
  "Thea Ruud",
  "Yusuf Demir",
];
const slides = ["start", "why", "levers", "email", "address", "sms", "call", "minutes", "report", "sort", "habits"];

/** A small generator of its own, so that every new demo tells the same story. */
function dice(seed: number) {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Fills a new database through the same services that people use: a company with its code, an admin, thirty learners, two
 * courses of our own, and three months of believable history. Returns the sign-ins to print.
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
  const [first, second] = [
    await addCourse(ctx, "phishing", "PHISH-01", 12),
    await addCourse(ctx, "conversations", "TALK-04", 40),
  ];

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
  const roll = dice(7);
  for (const { id } of learners)
    await services.db
      .updateTable("users")
      .set({ createdAt: daysAgo(2 + roll() * 40, roll) })
      .where("id", "=", id)
      .execute();
  const founded = new Date(Date.now() - 250 * 86_400_000);
  await services.db.updateTable("companies").set({ createdAt: founded }).execute();
  await services.db
    .updateTable("courses")
    .set({ createdAt: new Date(founded.getTime() + 40 * 86_400_000) })
    .execute();
  await assignCourse(ctx, first, { companyIds: [company.id], userIds: [], dueDate: inDays(9) });
  await assignCourse(ctx, second, {
    companyIds: [],
    userIds: learners.slice(0, 14).map(({ id }) => id),
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
    const stories = { first: phishingStory(i), second: i < 14 ? conversationStory(i) : [] };
    for (const one of stories.first) await visit(learner, { companyId: company.id, courseId: first }, one, i);
    for (const one of stories.second) await visit(learner, { companyId: company.id, courseId: second }, one, i + 1);
  }
  await addEvents(ctx, company);
  await suspendLearners(
    ctx,
    learners.slice(-1).map(({ id }) => id),
    "Left the company",
  );
  return [
    `Demo company: ${company.name}, access code ${company.accessCode}`,
    `Admin:    admin@example.com     password ${password}`,
    `Learner:  learner@example.com   password ${password}`,
  ];
}

async function addCourse(ctx: Ctx<User>, name: "phishing" | "conversations", code: string, minutes: number) {
  const folder = await mkdtemp(join(tmpdir(), "lyceum-demo-"));
  try {
    const file = join(folder, `${name}.zip`);
    await packDemo(name, file);
    const made = await importPackage(ctx, file, { name: `${name}.zip` });
    const summary =
      name === "phishing"
        ? "Spot the message that is not what it says, and know what to do in the first five minutes after a click."
        : "Four short parts for team leads: prepare, open, listen, and lead your own next conversation.";
    const told = await updateCourse(ctx, made.id, { version: made.version, code, minutes, summary });
    await setCourseStatus(ctx, made.id, { status: "published", version: told.version });
    return made.id;
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

/** A working hour some days ago. */
function daysAgo(days: number, roll: () => number) {
  const at = new Date(Date.now() - days * 86_400_000);
  at.setUTCHours(7 + Math.floor(roll() * 8), Math.floor(roll() * 60), Math.floor(roll() * 60));
  if (at.getUTCDay() === 0) at.setUTCDate(at.getUTCDate() - 2);
  if (at.getUTCDay() === 6) at.setUTCDate(at.getUTCDate() - 1);
  return at.getTime() > Date.now() - 3_600_000 ? new Date(Date.now() - 26 * 3_600_000) : at;
}

/** Most pass at once, some in two visits, some fail or are under way, a few have not begun. */
function phishingStory(i: number): Visit[] {
  const roll = dice(11 + i);
  const days = i % 6 === 1 ? 1 + (i % 5) : 4 + Math.floor(roll() * 88);
  const right = (wrong: number) => [0, 1, 2, 3, 4].map((n) => n !== wrong);
  if (i === 0)
    return [phishing(daysAgo(24, roll), 9, slides.slice(0, 6), null), phishing(daysAgo(23, roll), 7, slides, right(3))];
  if (i % 9 === 4) return [];
  if (i % 9 === 7)
    return [phishing(daysAgo((days % 20) + 2, roll), 5 + Math.floor(roll() * 4), slides.slice(0, 4 + (i % 5)), null)];
  if (i % 9 === 2) return [phishing(daysAgo(days, roll), 8, slides, [true, false, false, true, false])];
  if (i % 9 === 5)
    return [
      phishing(daysAgo(days + 3, roll), 9, slides, [true, false, true, false, true]),
      phishing(daysAgo(days, roll), 6, slides, right(-1), 5),
    ];
  return [phishing(daysAgo(days, roll), 8 + Math.floor(roll() * 7), slides, right(i % 3 === 0 ? -1 : i % 5))];
}

/** Team leads: half are done, some are in the middle, two are late and have not begun. */
function conversationStory(i: number): Visit[] {
  const roll = dice(71 + i);
  const days = 6 + Math.floor(roll() * 60);
  if (i === 0) return [conversations(daysAgo(8, roll), 21, [0, 1]), conversations(daysAgo(1, roll), 6, [], 2)];
  if (i % 7 === 3) return [];
  if (i % 7 === 5) return [conversations(daysAgo((days % 12) + 2, roll), 14, [0], 1)];
  if (i % 7 === 6) return [conversations(daysAgo((days % 9) + 3, roll), 24, [0, 1, 2])];
  return [conversations(daysAgo(days + 2, roll), 22, [0, 1]), conversations(daysAgo(days, roll), 19, [2, 3])];
}
