import { type RawBuilder, sql } from "kysely";
import {
  byPerson,
  type CourseCells,
  courseColumns,
  csvFile,
  dayOf,
  isInPeriod,
  type MadeFile,
  minuteOf,
  type Pack,
  type PackColumn,
  type PersonCells,
  personCells,
  personColumns,
  rowsOf,
  type Source,
} from "#server/auditPacks/content/packFile.ts";
import texts from "#shared/locales/en/auditPackFiles.json" with { type: "json" };
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";
import type { AuditedCompletion } from "#shared/auditPacks/auditPacks.ts";

const heads = texts.heads;

type Completion = PersonCells &
  CourseCells &
  Omit<AuditedCompletion, "course"> & {
    record: string;
    enrolmentId: string | null;
  };

/** The enrolment of a row, which names its person also after an erasure. */
const enrolmentColumn: PackColumn<{ enrolmentId: string | null }> = [heads.enrolment, (row) => row.enrolmentId];

const shows = ({ hidden }: Pick<Pack, "hidden">, kind: MeasuredKind) => sql.lit(!hidden.includes(kind));

/**
 * SQL: completions that were recorded before the pack, with those from elsewhere; `person_id` names the person. Text of
 * rules is what it was when the course was completed.
 */
export const completionsAsOf = (pack: Pick<Pack, "companyId" | "courseIds" | "at" | "zone" | "hidden">) => sql`
    select
      done.id::text as record, done.enrolment_id, done.person_id, done.course_id, versions.number as version,
      coalesce(external.completed_on, (done.happened_at at time zone ${pack.zone})::date) as completed_on,
      done.success,
      case when ${shows(pack, "scores")} then done.score_percent end as score_percent,
      case
        when external.id is null and ${shows(pack, "activeTime")} then round(done.active_seconds / 60.0)::int
      end as active_minutes,
      case
        when external.id is null and ${shows(pack, "activeTime")} then round(done.reported_seconds / 60.0)::int
      end as reported_minutes,
      done.rule_text as rule,
      case
        when external.id is not null then 'elsewhere'
        when done.reason = 'completions.set' then 'set'
        else 'here'
      end as source,
      external.reference,
      certificate.number as certificate,
      ${dayOf(sql`taken.recorded_at`, pack)} as taken_back_on
    from completion_history done
    left join course_versions versions on versions.id = done.version_id
    left join lateral (
      select external_completions.*
      from external_completions
      where external_completions.attempt_id = done.attempt_id
        and ${isKnown(pack)}
      limit 1
    ) external on true
    left join completion_withdrawals taken
      on taken.completion_id = done.id
      and taken.recorded_at < ${pack.at}::timestamptz
    left join lateral (
      select certificates.number
      from certificates
      where certificates.completion_id = done.id
        and certificates.issued_at < ${pack.at}::timestamptz
      order by certificates.issued_at desc, certificates.id
      limit 1
    ) certificate on true
    where done.company_id = ${pack.companyId}
      and done.course_id = any(${pack.courseIds}::uuid[])
      and done.recorded_at < ${pack.at}::timestamptz
    union all
    select
      external_completions.id::text, null, external_completions.person_id, external_completions.course_id, null,
      external_completions.completed_on, 'unknown',
      case when ${shows(pack, "scores")} then external_completions.score_percent end, null, null, null, 'elsewhere',
      external_completions.reference, null, null
    from external_completions
    where external_completions.company_id = ${pack.companyId}
      and external_completions.course_id = any(${pack.courseIds}::uuid[])
      and external_completions.attempt_id is null
      and ${isKnown(pack)}`;

/** SQL condition: the completion from elsewhere was here at the time. */
const isKnown = ({ at }: Pick<Pack, "at">): RawBuilder<boolean> => sql`(
        external_completions.created_at < ${at}::timestamptz
        and (external_completions.ended_at is null or external_completions.ended_at >= ${at}::timestamptz)
      )`;

const completionColumns: PackColumn<Completion>[] = [
  [heads.record, (row) => row.record],
  enrolmentColumn,
  ...personColumns,
  ...courseColumns,
  [heads.version, (row) => row.version],
  [heads.completedOn, (row) => row.completedOn],
  [heads.success, (row) => texts.success[row.success], (row) => row.success],
  [heads.score, (row) => row.scorePercent],
  [heads.activeMinutes, (row) => row.activeMinutes],
  [heads.reportedMinutes, (row) => row.reportedMinutes],
  [heads.rule, (row) => row.rule],
  [heads.source, (row) => texts.sources[row.source], (row) => row.source],
  [heads.reference, (row) => row.reference],
  [heads.certificate, (row) => row.certificate],
  [heads.takenBackOn, (row) => row.takenBackOn],
];

/** Everything that was completed in the period, person by person. */
export function completionsFile(source: Source, pack: Pack): MadeFile {
  const query = sql<Completion>`
    select
      done.record, done.enrolment_id, ${personCells(sql`done.person_id`, pack)},
      done.course_id, courses.title as course, courses.code,
      done.version, done.completed_on::text, done.success, done.score_percent, done.active_minutes,
      done.reported_minutes, done.rule, done.source, done.reference, done.certificate, done.taken_back_on
    from (${completionsAsOf(pack)}) done
    left join users on users.id = done.person_id
    left join courses on courses.id = done.course_id
    where done.completed_on between ${pack.fromDay}::date and ${pack.toDay}::date
    order by ${byPerson}, done.person_id, done.completed_on, done.record`;
  return csvFile("completions.csv", completionColumns, rowsOf(source, query));
}

type Rule = CourseCells & { since: string; until: string | null; isFirstKnown: boolean; rule: string };
const ruleColumns: PackColumn<Rule>[] = [
  ...courseColumns,
  [heads.inForceFrom, (row) => row.since],
  [heads.inForceUntil, (row) => row.until],
  [heads.beganEarlier, (row) => (row.isFirstKnown ? texts.files.yes : texts.files.no), (row) => row.isFirstKnown],
  [heads.rule, (row) => row.rule],
];

/** The completion rules that were in force at some time of the period, by their texts. */
export function rulesFile(source: Source, pack: Pack): MadeFile {
  const query = sql<Rule>`
    select
      rules.course_id, courses.title as course, courses.code, rules.rule_text as rule, rules.is_first_known,
      ${minuteOf(sql`rules.recorded_at`, pack)} as since,
      ${minuteOf(sql`rules.ended_at`, pack)} as until
    from (
      select
        course_id, rule_text, recorded_at, backfilled as is_first_known,
        lead(recorded_at) over (partition by course_id order by id) as ended_at
      from completion_rule_history
      where course_id = any(${pack.courseIds}::uuid[])
        and recorded_at < ${pack.at}::timestamptz
    ) rules
    left join courses on courses.id = rules.course_id
    where (rules.recorded_at at time zone ${pack.zone})::date <= ${pack.toDay}::date
      and coalesce((rules.ended_at at time zone ${pack.zone})::date >= ${pack.fromDay}::date, true)
    order by lower(courses.title), rules.course_id, rules.recorded_at`;
  return csvFile("completion-rules.csv", ruleColumns, rowsOf(source, query));
}

type Correction = PersonCells &
  CourseCells & {
    record: string;
    enrolmentId: string;
    kind: "set" | "reopened" | "restarted";
    on: string;
    by: string;
    undoneOn: string;
  };
const correctionColumns: PackColumn<Correction>[] = [
  [heads.record, (row) => row.record],
  enrolmentColumn,
  ...personColumns,
  ...courseColumns,
  [heads.correction, (row) => texts.corrections[row.kind], (row) => row.kind],
  [heads.on, (row) => row.on],
  [heads.by, (row) => row.by, "name"],
  [heads.undoneOn, (row) => row.undoneOn],
];

/** What admins decided about completions in the period, without their reasons, which may be about health. */
export function correctionsFile(source: Source, pack: Pack): MadeFile {
  const query = sql<Correction>`
    select
      decisions.id::text as record, decisions.enrolment_id, ${personCells(sql`enrolments.user_id`, pack)},
      enrolments.course_id, courses.title as course, courses.code, decisions.kind,
      ${minuteOf(sql`decisions.made_at`, pack)} as "on",
      coalesce(nullif(admin.name, ''), admin.email) as by,
      case
        when decisions.undone_at < ${pack.at}::timestamptz then ${minuteOf(sql`decisions.undone_at`, pack)}
      end as undone_on
    from completion_decisions decisions
    join enrolments on enrolments.id = decisions.enrolment_id
    left join users on users.id = enrolments.user_id
    left join users admin on admin.id = decisions.made_by
    left join courses on courses.id = enrolments.course_id
    where decisions.company_id = ${pack.companyId}
      and enrolments.course_id = any(${pack.courseIds}::uuid[])
      and decisions.made_at < ${pack.at}::timestamptz
      and ${isInPeriod(sql`decisions.made_at`, pack)}
    order by ${byPerson}, enrolments.user_id, decisions.made_at, decisions.id`;
  return csvFile("corrections.csv", correctionColumns, rowsOf(source, query));
}

type Withdrawal = PersonCells &
  CourseCells & { record: string; enrolmentId: string; on: string; isByHand: boolean; by: string | null };
const withdrawalColumns: PackColumn<Withdrawal>[] = [
  [heads.record, (row) => row.record],
  enrolmentColumn,
  ...personColumns,
  ...courseColumns,
  [heads.on, (row) => row.on],
  [heads.how, (row) => (row.isByHand ? texts.files.byHand : texts.files.byRule), (row) => row.isByHand],
  [heads.by, (row) => row.by, "name"],
];

/** Courses that were taken from people in the period: since then they need not hold them. */
export function withdrawalsFile(source: Source, pack: Pack): MadeFile {
  const query = sql<Withdrawal>`
    select
      history.id::text as record, history.enrolment_id, ${personCells(sql`history.person_id`, pack)},
      history.course_id, courses.title as course, courses.code,
      ${dayOf(sql`history.recorded_at`, pack)} as "on",
      history.actor_id is not null as is_by_hand,
      coalesce(nullif(admin.name, ''), admin.email) as by
    from enrolment_history history
    left join users on users.id = history.person_id
    left join users admin on admin.id = history.actor_id
    left join courses on courses.id = history.course_id
    where history.company_id = ${pack.companyId}
      and history.course_id = any(${pack.courseIds}::uuid[])
      and history.change = 'withdrawn'
      and history.recorded_at < ${pack.at}::timestamptz
      and ${isInPeriod(sql`history.recorded_at`, pack)}
    order by ${byPerson}, history.person_id, history.id`;
  return csvFile("withdrawals.csv", withdrawalColumns, rowsOf(source, query));
}

type Setting = {
  since: string;
  isFirstKnown: boolean;
  erasurePolicy: "delete" | "anonymise" | "retain";
  retentionYears: number;
  maskNames: boolean;
  recordPages: boolean;
  recordingDays: number;
  managersSeePeople: boolean;
};
const yesNo = (value: boolean) => (value ? texts.files.yes : texts.files.no);
const settingColumns: PackColumn<Setting>[] = [
  [heads.inForceFrom, (row) => row.since],
  [heads.beganEarlier, (row) => yesNo(row.isFirstKnown), (row) => row.isFirstKnown],
  [heads.erasure, (row) => texts.erasure[row.erasurePolicy], (row) => row.erasurePolicy],
  [heads.retentionYears, (row) => (row.erasurePolicy === "retain" ? row.retentionYears : null)],
  [heads.recordPages, (row) => yesNo(row.recordPages), (row) => row.recordPages],
  [heads.recordingDays, (row) => (row.recordPages ? row.recordingDays : null)],
  [heads.maskNames, (row) => yesNo(row.maskNames), (row) => row.maskNames],
  [heads.managersSeePeople, (row) => yesNo(row.managersSeePeople), (row) => row.managersSeePeople],
];

/** Settings about recordings and records that applied at some time of the period. */
export function settingsFile(source: Source, pack: Pack): MadeFile {
  const query = sql<Setting>`
    select
      versions.*,
      ${minuteOf(sql`versions.recorded_at`, pack)} as since
    from (
      select
        erasure_policy, retention_years, mask_names, record_pages, recording_days, managers_see_people, recorded_at,
        backfilled as is_first_known,
        lead(recorded_at) over (order by id) as ended_at
      from company_privacy_history
      where company_id = ${pack.companyId}
        and recorded_at < ${pack.at}::timestamptz
    ) versions
    where (versions.recorded_at at time zone ${pack.zone})::date <= ${pack.toDay}::date
      and coalesce((versions.ended_at at time zone ${pack.zone})::date >= ${pack.fromDay}::date, true)
    order by versions.recorded_at`;
  return csvFile("settings.csv", settingColumns, rowsOf(source, query));
}
