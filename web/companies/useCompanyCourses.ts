import { useQueries, useSuspenseQuery } from '@tanstack/react-query'
import { ask } from '#web/core/api.ts'
import { courses } from '#shared/courses.ts'

export type CompanyCourse = {
  id: string
  title: string
  code: string
  /** Null until it is known. */
  assigned: number | null
  completed: number | null
  overdue: number | null
  due: string | null
}

/**
 * The courses of a company with its own figures: `courses.list` counts all companies, so the totals of its
 * enrolments are asked.
 */
export function useCompanyCourses(companyId: string) {
  const { data } = useSuspenseQuery(ask(courses.list, { query: { companyId, size: 200 } }))
  const of = (courseId: string, more: { status?: 'completed'; overdue?: 'true'; sort?: 'dueDate' }) =>
    ask(courses.enrolments, { query: { companyId, courseId, size: 1, ...more } })
  const counts = useQueries({
    queries: data.items.flatMap(({ id }) => [
      of(id, { sort: 'dueDate' }),
      of(id, { status: 'completed' }),
      of(id, { overdue: 'true' }),
    ]),
  })
  const rows = data.items.map(({ id, title, code }, at): CompanyCourse => {
    const [all, done, late] = counts.slice(at * 3, at * 3 + 3).map((count) => count.data)
    return {
      id,
      title,
      code,
      assigned: all?.total ?? null,
      completed: done?.total ?? null,
      overdue: late?.total ?? null,
      due: all?.items[0]?.dueDate ?? null,
    }
  })
  return rows.filter(({ assigned }) => assigned !== 0)
}
