import { useTranslation } from 'react-i18next'
import { Colonnade } from '#web/core/Colonnade.tsx'
import { Meter } from '#web/core/Meter.tsx'
import type { MyCourse } from '#shared/courses.ts'

/** How far a learner is: columns for parts, a meter for a course of one part that reports its progress. */
export function CourseProgress({ course, size = 'sm' }: { course: MyCourse; size?: 'sm' | 'md' }) {
  const { t } = useTranslation()
  const { parts, partsDone, currentPart, progress, status } = course
  const all = status === 'completed' ? parts : Math.min(partsDone, parts)
  if (parts <= 1 && progress !== null && progress > 0 && progress < 100) return <Meter percent={progress} label={t('courses.enrolment.progress')} />
  const here = currentPart !== null && status !== 'completed' && currentPart >= all ? currentPart + 1 : null
  return <Colonnade total={Math.max(1, parts)} done={all} current={here} size={size} />
}
