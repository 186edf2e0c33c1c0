import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, Problem, sentence } from "#server/core/http/problem.ts";
import { findPublicChatbot } from "#server/events/eventChatbot.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { instantOf } from "#server/events/eventTimes.ts";
import { codeHash } from "#server/events/public/visibility.ts";
import { findFile, markFileInUse, markFileUnused } from "#server/files/service.ts";
import { type EventInput, eventInput } from "#shared/events/eventInput.ts";
import { canReadFile } from "#shared/files/files.ts";
import type { User } from "#shared/core/users.ts";
import type { ErrorCode } from "#shared/locales/errors.ts";

type ConvertedField = "slug" | "accessCode" | "venue" | "questions" | "speakers" | "agenda";
const CONVERTED_FIELDS: string[] = [
  "slug",
  "accessCode",
  "venue",
  "questions",
  "speakers",
  "agenda",
] satisfies ConvertedField[];
type PlainField = Exclude<keyof EventInput, ConvertedField>;
/** The fields that are stored as they are, in a column of the same name. */
const PLAIN_FIELDS = Object.keys(eventInput.shape).filter((field) => !CONVERTED_FIELDS.includes(field)) as PlainField[];

/**
 * The columns for an input: local times as instants, JSON as text, the access code as a keyed hash. Throws issues by
 * field.
 */
export async function columnsOf(ctx: Ctx<User>, tx: Tx, input: EventInput, stored: EventRow | null) {
  const { accessCode, timezone } = input;
  const startsAt = instantOf(input.startsLocal, timezone, "startsLocal");
  const endsAt = instantOf(input.endsLocal, timezone, "endsLocal");
  if (endsAt <= startsAt) throw badField("endsLocal", "events.endsBeforeStart");
  const optionalInstant = (wall: string | null, path: string) => (wall ? instantOf(wall, timezone, path) : null);
  const registrationOpensAt = optionalInstant(input.registrationOpensLocal, "registrationOpensLocal");
  const registrationClosesAt = optionalInstant(input.registrationClosesLocal, "registrationClosesLocal");
  if (registrationClosesAt && registrationClosesAt > startsAt)
    throw badField("registrationClosesLocal", "events.closesAfterStart");
  if (registrationOpensAt && registrationOpensAt >= (registrationClosesAt ?? startsAt))
    throw badField("registrationOpensLocal", "events.opensAfterClose");
  checkQuestions(input.questions);
  await checkPictures(ctx, tx, input, stored);
  await checkReferences(ctx, tx, input);
  const plainColumns = Object.fromEntries(PLAIN_FIELDS.map((field) => [field, input[field]]));
  const speakerIds = new Set(input.speakers.map(({ id }) => id));
  return {
    ...(plainColumns as Pick<EventInput, PlainField>),
    startsAt,
    endsAt,
    registrationOpensAt,
    registrationClosesAt,
    venue: JSON.stringify(input.venue),
    questions: JSON.stringify(input.questions),
    speakers: JSON.stringify(input.speakers),
    agenda: JSON.stringify(
      input.agenda.map((item) => ({ ...item, speakerIds: item.speakerIds.filter((id) => speakerIds.has(id)) })),
    ),
    ...(accessCode !== undefined && { accessCodeHash: accessCode === "" ? null : codeHash(ctx, accessCode) }),
  };
}
export type Columns = Awaited<ReturnType<typeof columnsOf>>;

function checkQuestions(questions: EventInput["questions"]) {
  const issue = (index: number, field: string, reason: string) =>
    badField(`questions.${index}.${field}`, "events.badQuestion", { reason });
  for (const [index, { id, kind, options, showIf }] of questions.entries()) {
    const previous = questions.slice(0, index);
    if (previous.some((other) => other.id === id)) throw issue(index, "id", "Another question has the same id.");
    if (["choice", "choices", "select"].includes(kind) && new Set(options).size < (kind === "choices" ? 1 : 2))
      throw issue(index, "options", "Enter at least two different options.");
    if (showIf && !previous.some((other) => other.id === showIf.questionId))
      throw issue(index, "showIf", "A question can only depend on an earlier question.");
  }
}

/** Checks that the admin may use new pictures, and marks pictures as in use while the event shows them. */
async function checkPictures(ctx: Ctx<User>, tx: Tx, input: EventInput, stored: EventRow | null) {
  const previous = new Set(stored ? [stored.cover, ...stored.speakers.map(({ photo }) => photo)] : []);
  const pictures = [
    { path: "cover", file: input.cover },
    ...input.speakers.map(({ photo }, index) => ({ path: `speakers.${index}.photo`, file: photo })),
  ];
  for (const { path, file } of pictures) {
    if (!file || previous.has(file)) continue;
    const picture = await findFile(tx, file);
    if (!picture || picture.purpose !== "event_cover" || !canReadFile(ctx.user, picture))
      throw badField(path, "events.badCover");
    await markFileInUse(tx, picture.id);
  }
  for (const picture of previous)
    if (picture && !pictures.some(({ file }) => file === picture)) await releasePicture(tx, picture, stored?.id ?? "");
}

/** Marks a picture as unused, unless another event shows it. */
export async function releasePicture(tx: Tx, path: string, eventId: string) {
  const used = await tx
    .selectFrom("events")
    .where("id", "!=", eventId)
    .where((e) => e.or([e("cover", "=", path), sql<boolean>`speakers @> ${JSON.stringify([{ photo: path }])}`]))
    .select("id")
    .executeTakeFirst();
  const file = used ? undefined : await findFile(tx, path);
  if (file) await markFileUnused(tx, file.id);
}

async function checkReferences(
  { user }: Ctx<User>,
  tx: Tx,
  { visibility, companyId, followUpCourseId, followUpCompanyId, chatbotId }: EventInput,
) {
  const isCompany = async (id: string) =>
    (await tx
      .selectFrom("companies")
      .where("id", "=", id)
      .where(inScope(user, { company: "companies.id" }))
      .where("status", "!=", "archived")
      .select("id")
      .executeTakeFirst()) !== undefined;
  if ((visibility === "company" && !companyId) || (companyId && !(await isCompany(companyId))))
    throw badField("companyId", "events.badCompany");
  if (chatbotId && !(await findPublicChatbot(tx, chatbotId))) throw badField("chatbotId", "events.badChatbot");
  if (!followUpCourseId && !followUpCompanyId) return;
  const course =
    followUpCourseId &&
    (await tx
      .selectFrom("courses")
      .where("id", "=", followUpCourseId)
      .where("status", "!=", "archived")
      .select("id")
      .executeTakeFirst());
  if (!course) throw badField("followUpCourseId", "events.badCourse");
  if (!followUpCompanyId || !(await isCompany(followUpCompanyId)))
    throw badField("followUpCompanyId", "events.badCourse");
}

/** Throws an issue for each field that an event needs before it is published. */
export function checkPublishable(event: Columns & { hasCode: boolean }, now = new Date()) {
  const venue = JSON.parse(event.venue) as EventInput["venue"];
  const checks: [path: string, fails: boolean, code: ErrorCode][] = [
    ["privacyNotice", event.registrationMode !== "external" && event.privacyNotice === "", "events.needed"],
    ["venue.name", event.attendanceMode !== "online" && venue.name === "" && venue.city === "", "events.needed"],
    ["accessCode", event.visibility === "code" && !event.hasCode, "events.needed"],
    ["externalUrl", event.registrationMode === "external" && event.externalUrl === "", "events.needed"],
    ["endsLocal", Date.parse(event.endsAt) <= now.getTime(), "events.isOver"],
  ];
  const issues = checks.filter(([, fails]) => fails).map(([path, , code]) => ({ path, code, message: sentence(code) }));
  if (issues.length > 0) throw new Problem(422, "core.invalid", { issues });
}

/**
 * Stores a new version of the questions or the privacy notice when they change, so that registrations refer to what
 * their guests have agreed to.
 */
export async function storeVersions(tx: Tx, eventId: string, next: Columns, stored: EventRow | null) {
  const [questions, notice] = [JSON.parse(next.questions) as unknown, next.privacyNotice];
  const questionVersion =
    (stored?.questionVersion ?? 0) + (stored && isDeepStrictEqual(stored.questions, questions) ? 0 : 1);
  const noticeVersion = (stored?.noticeVersion ?? 0) + (stored && stored.privacyNotice === notice ? 0 : 1);
  if (questionVersion !== stored?.questionVersion)
    await tx
      .insertInto("eventQuestionVersions")
      .values({ eventId, version: questionVersion, questions: next.questions })
      .execute();
  if (noticeVersion !== stored?.noticeVersion)
    await tx
      .insertInto("eventPrivacyNotices")
      .values({
        eventId,
        version: noticeVersion,
        text: notice,
        sha256: createHash("sha256").update(notice).digest("hex"),
      })
      .execute();
  return { questionVersion, noticeVersion };
}
