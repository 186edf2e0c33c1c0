import { sql } from "kysely";
import { z } from "zod";
import { inTransaction } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { notify } from "#server/notifications/notify.ts";

/** Courses of one run; the others wait for the next day. */
const MAX_COURSES = 1000;

type Told = { courseId: string; title: string; day: string; to: string[]; count: number };

/**
 * Once a day, the authors of a course are told how many people have marked something as unclear since they were told
 * last: who wrote for a version and may still edit courses, or all who may if nobody is left. Each counts their scope.
 */
export const tellUnclear = job(
  "lessons:tellUnclear",
  z.object({}),
  async (services) => {
    await inTransaction(services.db, async (tx) => {
      const { rows } = await sql<Told>`
        with told as (
          update unclear_marks
          set notified_at = now()
          where notified_at is null
            and course_id in (
              select course_id
              from unclear_marks
              where notified_at is null
              group by course_id
              order by min(received_at)
              limit ${MAX_COURSES}
            )
          returning attempt_id, course_id, dealt_at
        ),
        editors as (
          select id, company_id
          from users
          where role = 'admin'
            and status = 'active'
        ),
        writers as (
          select course_writers.course_id, editors.id, editors.company_id
          from editors
          join course_writers on course_writers.author_id = editors.id
          where course_writers.course_id in (select course_id from told)
        ),
        readers as (
          select course_id, id, company_id
          from writers
          union
          select course_id, editors.id, editors.company_id
          from told
          cross join editors
          where not exists (select from writers where writers.course_id = told.course_id)
        ),
        counted as (
          select told.course_id, readers.company_id, count(distinct attempts.user_id)::int as count
          from told
          join attempts on attempts.id = told.attempt_id
          join (select distinct course_id, company_id from readers) readers
            on readers.course_id = told.course_id
            and (readers.company_id is null or readers.company_id = attempts.company_id)
          where told.dealt_at is null
          group by told.course_id, readers.company_id
        )
        select counted.course_id, courses.title, current_date::text as day, counted.count, array_agg(readers.id) as "to"
        from counted
        join courses on courses.id = counted.course_id
        join readers
          on readers.course_id = counted.course_id
          and readers.company_id is not distinct from counted.company_id
        group by counted.course_id, courses.title, counted.company_id, counted.count`.execute(tx);
      for (const { courseId, title, day, to, count } of rows)
        await notify(services, tx, {
          to,
          kind: "unclearMarked",
          params: { count, course: title },
          link: `/courses/${courseId}/unclear`,
          key: `unclearMarked ${courseId} ${day}`,
        });
    });
  },
  "35 5 * * *",
);
