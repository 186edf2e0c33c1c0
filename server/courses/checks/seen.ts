import { sql } from "kysely";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { Checked } from "#server/courses/checks/service.ts";
import type { PackageKind } from "#shared/courses/completionRules.ts";
import { ENOUGH_SESSIONS, type SeenSignals } from "#shared/courses/packageChecks.ts";
import { type Signal, type SignalKind, signalKinds } from "#shared/packages/packageCheck.ts";
import { reportsByStatements } from "#shared/player/activities.ts";
import type { User } from "#shared/core/users.ts";

/** The latest sessions to look at, and the last commits of each, because outcomes come at the end. */
const MAX_SESSIONS = 40;
const MAX_COMMITS = 100;

/** What a package has reported in the latest sessions of learners, and where that differs from the prediction. */
export async function findSeen(ctx: Ctx<User>, { id, packageId }: Checked): Promise<SeenSignals> {
  const { db } = ctx;
  const found = await db
    .selectFrom("packages")
    .leftJoin("packageChecks", "packageChecks.packageId", "packages.id")
    .where("packages.id", "=", packageId)
    .where("packages.courseId", "=", id)
    .select("reading")
    .executeTakeFirstOrThrow(notFound);
  const sessions = await listSessions(ctx, packageId);
  if (sessions.length < ENOUGH_SESSIONS) return { sessions: sessions.length, signals: [] };
  const counts = await countSignals(ctx, packageId, sessions);
  const isStored = isStoredOf(found.reading?.kind);
  return {
    sessions: sessions.length,
    signals: signalKinds.filter(isStored).map((kind) => {
      const count = counts.get(kind) ?? 0;
      const signal = found.reading?.signals.find((one) => one.kind === kind);
      return { kind, predicted: signal?.comes ?? "unknown", count, differs: isOther(signal, count) };
    }),
  };
}

/** Memory and resume data of cmi5 and xAPI are documents of the record store, not events. */
const isStoredOf = (kind: PackageKind | undefined) => (signal: SignalKind) =>
  !(kind && reportsByStatements(kind) && (signal === "memory" || signal === "resumes"));

function isOther(signal: Signal | undefined, count: number) {
  // Such units are done once they were opened, and report nothing.
  if (!signal || signal.because === "opening") return false;
  return (signal.comes === "no" && count > 0) || (signal.comes === "yes" && count === 0);
}

async function listSessions({ db, user }: Ctx<User>, packageId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("versionPackages")
    .innerJoin("attempts", "attempts.versionId", "versionPackages.versionId")
    .innerJoin("sessions", "sessions.attemptId", "attempts.id")
    .where("versionPackages.packageId", "=", packageId)
    .where("attempts.preview", "=", false)
    .where("sessions.lastSeq", ">", 0)
    .where(inScope(user, { company: "attempts.companyId", person: "attempts.userId" }))
    .orderBy("sessions.startedAt", "desc")
    .limit(MAX_SESSIONS)
    .select("sessions.id")
    .execute();
  return rows.map((row) => row.id);
}

/**
 * Counts the sessions in which each signal came. Commits with a NUL or half a surrogate pair are left out, because SQL
 * cannot read their values.
 */
async function countSignals({ db }: Ctx<User>, packageId: string, sessions: string[]) {
  const { rows } = await sql<{ kind: SignalKind | null; count: number }>`
    with readable as materialized (
      select chosen.id, entries.entry, batch.events
      from unnest(${sessions}::uuid[]) chosen (id)
      join sessions on sessions.id = chosen.id
      join attempts on attempts.id = sessions.attempt_id
      join version_packages entries on entries.version_id = attempts.version_id
        and entries.package_id = ${packageId}
      cross join lateral (
        select events
        from session_events
        where session_id = chosen.id
          and strpos(events::text, '\\u0000') = 0
          and events::text !~ '\\\\u[dD][89a-fA-F]'
        order by first_seq desc
        limit ${MAX_COMMITS}
      ) batch
    ),
    reported as (
      select
        readable.id,
        event ->> 'type' as type,
        event ->> 'key' as key,
        left(event ->> 'value', 20) as value
      from readable
      cross join json_array_elements(readable.events) event
      where event ->> 'type' in ('scorm.set', 'complete')
        and (readable.entry = '' or starts_with(event ->> 'sco', readable.entry || '.'))
    ),
    named as (
      select
        id,
        case
          when key in ('cmi.core.lesson_location', 'cmi.location') then 'resumes'
          when key in ('cmi.core.session_time', 'cmi.session_time') then 'time'
          when key in ('cmi.core.score.raw', 'cmi.score.raw', 'cmi.score.scaled') then 'score'
          when key = 'cmi.suspend_data' then 'memory'
          when starts_with(key, 'cmi.interactions.') then 'answers'
          when type = 'complete' then 'completed'
          when key in ('cmi.core.lesson_status', 'cmi.completion_status') and value = 'completed' then 'completed'
          when key in ('cmi.core.lesson_status', 'cmi.success_status') and value in ('passed', 'failed') then 'outcome'
        end as kind
      from reported
      union all
      select id, 'score'
      from reported
      where type = 'complete'
        and value <> ''
    )
    select kind, count(distinct id)::int as count
    from named
    where kind is not null
    group by kind`.execute(db);
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}
