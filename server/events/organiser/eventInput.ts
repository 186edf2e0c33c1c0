import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Tx } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { badField, Problem, type ProblemCode, sentence } from "#server/core/problem.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { instantOf } from "#server/events/eventTimes.ts";
import { agendaOf, questionsOf, speakersOf, venueOf } from "#server/events/views.ts";
import { codeHash } from "#server/events/public/visibility.ts";
import { findFile, markFileInUse, owned, markFileUnused } from "#server/files/service.ts";
import type { EventInput } from "#shared/eventInput.ts";
import { canReadFile } from "#shared/files.ts";
import type { User } from "#shared/users.ts";

/** What an organiser can enter, of a stored event; the code is not kept in clear and so not part of it. */
export const inputOf = (event: EventRow): EventInput => ({
  ...event,
  venue: venueOf(event),
  questions: questionsOf(event),
  agenda: agendaOf(event),
  speakers: speakersOf(event),
});

/** The columns for an input: instants for wall times, JSON as text, the code as a keyed hash. Says which field is wrong. */
export async function columnsOf(ctx: Ctx<User>, tx: Tx, input: EventInput, old: EventRow | null) {
  const { accessCode, slug: _, timezone } = input;
  const startsAt = instantOf(input.startsLocal, timezone, "startsLocal");
  const endsAt = instantOf(input.endsLocal, timezone, "endsLocal");
  if (endsAt <= startsAt) throw badField("endsLocal", "events.endsBeforeStart");
  const at = (wall: string | null, path: string) => (wall ? instantOf(wall, timezone, path) : null);
  const registrationOpensAt = at(input.registrationOpensLocal, "registrationOpensLocal");
  const registrationClosesAt = at(input.registrationClosesLocal, "registrationClosesLocal");
  if (registrationClosesAt && registrationClosesAt > startsAt)
    throw badField("registrationClosesLocal", "events.closesAfterStart");
  if (registrationOpensAt && registrationOpensAt >= (registrationClosesAt ?? startsAt))
    throw badField("registrationOpensLocal", "events.opensAfterClose");
  checkQuestions(input.questions);
  await checkPictures(ctx, tx, input, old);
  await checkLinks(tx, input);
  const {
    title,
    summary,
    description,
    category,
    language,
    cover,
    startsLocal,
    endsLocal,
    attendanceMode,
    onlineUrl,
    joinOpensMinutes,
    visibility,
    companyId,
    registrationMode,
    externalUrl,
    registrationOpensLocal,
    registrationClosesLocal,
    capacity,
    capacityOnline,
    waitlistEnabled,
    waitlistMode,
    offerMinutes,
    requireEmailConfirmation,
    challenge,
    modificationMode,
    privacyNotice,
    retentionDays,
    organiserName,
    organiserKind,
    organiserEmail,
    indexable,
    reminders,
    followUpCourseId,
    followUpCompanyId,
  } = input;
  const known = new Set(input.speakers.map(({ id }) => id));
  return {
    title,
    summary,
    description,
    category,
    language,
    cover,
    timezone,
    startsLocal,
    endsLocal,
    startsAt,
    endsAt,
    attendanceMode,
    onlineUrl,
    joinOpensMinutes,
    visibility,
    companyId,
    registrationMode,
    externalUrl,
    registrationOpensLocal,
    registrationOpensAt,
    registrationClosesLocal,
    registrationClosesAt,
    capacity,
    capacityOnline,
    waitlistEnabled,
    waitlistMode,
    offerMinutes,
    requireEmailConfirmation,
    challenge,
    modificationMode,
    privacyNotice,
    retentionDays,
    organiserName,
    organiserKind,
    organiserEmail,
    indexable,
    reminders,
    followUpCourseId,
    followUpCompanyId,
    venue: JSON.stringify(input.venue),
    questions: JSON.stringify(input.questions),
    speakers: JSON.stringify(input.speakers),
    agenda: JSON.stringify(
      input.agenda.map((item) => ({ ...item, speakerIds: item.speakerIds.filter((id) => known.has(id)) })),
    ),
    ...(accessCode !== undefined && { accessCodeHash: accessCode === "" ? null : codeHash(ctx, accessCode) }),
  };
}
export type Columns = Awaited<ReturnType<typeof columnsOf>>;

function checkQuestions(questions: EventInput["questions"]) {
  const wrong = (at: number, field: string, reason: string) =>
    badField(`questions.${at}.${field}`, "events.badQuestion", { reason });
  for (const [at, { id, kind, options, showIf }] of questions.entries()) {
    const before = questions.slice(0, at);
    if (before.some((other) => other.id === id)) throw wrong(at, "id", "Another question has the same id.");
    if (["choice", "choices", "select"].includes(kind) && new Set(options).size < (kind === "choices" ? 1 : 2))
      throw wrong(at, "options", "Give at least two different options.");
    if (showIf && !before.some((other) => other.id === showIf.questionId))
      throw wrong(at, "showIf", "It can only depend on a question before it.");
  }
}

/** Pictures are stored files that this admin may use; they rest as long as the event shows them. */
async function checkPictures(ctx: Ctx<User>, tx: Tx, input: EventInput, old: EventRow | null) {
  const before = new Set(old ? [old.cover, ...speakersOf(old).map(({ photo }) => photo)] : []);
  const pictures = [
    { path: "cover", file: input.cover },
    ...input.speakers.map(({ photo }, at) => ({ path: `speakers.${at}.photo`, file: photo })),
  ];
  for (const { path, file } of pictures) {
    if (!file || before.has(file)) continue;
    const found = await findFile(tx, file);
    if (!found || found.purpose !== "event_cover" || !canReadFile(ctx.user, owned(found)))
      throw badField(path, "events.badCover");
    await markFileInUse(tx, found.id);
  }
  for (const gone of before)
    if (gone && !pictures.some(({ file }) => file === gone)) await releasePicture(tx, gone, old?.id ?? "");
}

/** Lets go of a picture, unless another event shows it too. */
export async function releasePicture(tx: Tx, path: string, eventId: string) {
  const used = await tx
    .selectFrom("events")
    .where("id", "!=", eventId)
    .where((e) => e.or([e("cover", "=", path), e("speakers", "@>", JSON.stringify([{ photo: path }]) as never)]))
    .select("id")
    .executeTakeFirst();
  const file = used ? undefined : await findFile(tx, path);
  if (file) await markFileUnused(tx, file.id);
}

async function checkLinks(tx: Tx, { visibility, companyId, followUpCourseId, followUpCompanyId }: EventInput) {
  const isCompany = async (id: string) =>
    (await tx
      .selectFrom("companies")
      .where("id", "=", id)
      .where("status", "!=", "archived")
      .select("id")
      .executeTakeFirst()) !== undefined;
  if ((visibility === "company" && !companyId) || (companyId && !(await isCompany(companyId))))
    throw badField("companyId", "events.badCompany");
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

/** Everything that a published event must have, each missing thing by its field. */
export function checkPublishable(event: Columns & { hasCode: boolean }, now = new Date()) {
  const venue = JSON.parse(event.venue) as EventInput["venue"];
  const missing: [string, boolean, ProblemCode][] = [
    ["privacyNotice", event.registrationMode !== "external" && event.privacyNotice === "", "events.needed"],
    ["venue.name", event.attendanceMode !== "online" && venue.name === "" && venue.city === "", "events.needed"],
    ["accessCode", event.visibility === "code" && !event.hasCode, "events.needed"],
    ["externalUrl", event.registrationMode === "external" && event.externalUrl === "", "events.needed"],
    ["endsLocal", Date.parse(event.endsAt) <= now.getTime(), "events.isOver"],
  ];
  const issues = missing
    .filter(([, wrong]) => wrong)
    .map(([path, , code]) => ({ path, code, message: sentence(code) }));
  if (issues.length > 0) throw new Problem(422, "core.invalid", { issues });
}

/** Keeps the form and the notice as they were agreed to: a new version whenever their text changes. */
export async function keepVersions(tx: Tx, eventId: string, next: Columns, old: EventRow | null) {
  const [questions, notice] = [JSON.parse(next.questions) as unknown, next.privacyNotice];
  const questionVersion = (old?.questionVersion ?? 0) + (old && isDeepStrictEqual(old.questions, questions) ? 0 : 1);
  const noticeVersion = (old?.noticeVersion ?? 0) + (old && old.privacyNotice === notice ? 0 : 1);
  if (questionVersion !== old?.questionVersion)
    await tx
      .insertInto("eventQuestionVersions")
      .values({ eventId, version: questionVersion, questions: next.questions })
      .execute();
  if (noticeVersion !== old?.noticeVersion)
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
