import { sql } from "kysely";
import { z } from "zod";
import { inTransaction, repeatOnDeadlock } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import { notify } from "#server/notifications/notify.ts";

/** Courses of one run; the others wait for the next day. */
const MAX_COURSES = 1000;

type Told = { title: string; day: string; to: string[]; count: number };

/**
 * Once a day, the authors of a course are told how many people have marked something as unclear since they were told
 * last: who wrote for a version and may still edit courses, or all who may if nobody is left. Each counts their scope.
 */
export const tellUnclear = job(
  "lessons:tellUnclear",
  z.object({}),
  async (services) => {
    const { rows } = await sql<{ courseId: string }>`
      select course_id
      from unclear_marks
      where notified_at is null
      group by course_id
      order by min(received_at)
      limit ${MAX_COURSES}`.execute(services.db);
    for (const { courseId } of rows)
      await tellAuthors(services, courseId).catch((error: unknown) =>
        services.log.error({ err: error, course: courseId }, "authors could not be told what is unclear"),
      );
  },
  "35 5 * * *",
);

/** A transaction of its own: commits of learners who change a mark wait for its rows. */
const tellAuthors = (services: Services, courseId: string) =>
  repeatOnDeadlock(() =>
    inTransaction(services.db, async (tx) => {
      const { rows } = await sql<Told>`
        with waiting as (
          select attempt_id, sco, block_id
          from unclear_marks
          where course_id = ${courseId}
            and notified_at is null
          order by attempt_id, sco, block_id
          for update
        ),
        told as (
          update unclear_marks
          set notified_at = now()
          from waiting
          where unclear_marks.attempt_id = waiting.attempt_id
            and unclear_marks.sco = waiting.sco
            and unclear_marks.block_id = waiting.block_id
          returning unclear_marks.attempt_id, unclear_marks.dealt_at
        ),
        editors as (
          select id, company_id
          from users
          where role = 'admin'
            and status = 'active'
        ),
        writers as (
          select distinct editors.id, editors.company_id
          from editors
          join course_writers on course_writers.author_id = editors.id
          where course_writers.course_id = ${courseId}
        ),
        marked as (
          select distinct attempts.user_id, attempts.company_id
          from told
          join attempts on attempts.id = told.attempt_id
          where told.dealt_at is null
        ),
        readers as (
          select id, company_id
          from writers
          union
          -- People whose marks no writer may see.
          select editors.id, editors.company_id
          from editors
          where exists (
            select from marked
            where (editors.company_id is null or editors.company_id = marked.company_id)
              and not exists (
                select from writers
                where writers.company_id is null
                  or writers.company_id = marked.company_id
              )
          )
        ),
        counted as (
          select readers.company_id, count(distinct marked.user_id)::int as count
          from (select distinct company_id from readers) readers
          join marked on readers.company_id is null or readers.company_id = marked.company_id
          group by readers.company_id
        )
        select courses.title, current_date::text as day, counted.count, array_agg(readers.id) as "to"
        from counted
        join readers on readers.company_id is not distinct from counted.company_id
        join courses on courses.id = ${courseId}
        group by courses.title, counted.company_id, counted.count`.execute(tx);
      for (const { title, day, to, count } of rows)
        await notify(services, tx, {
          to,
          kind: "unclearMarked",
          params: { count, course: title },
          link: `/courses/${courseId}/unclear`,
          key: `unclearMarked ${courseId} ${day}`,
        });
    }),
  );
