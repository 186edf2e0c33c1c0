import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CompanyCourses } from '#web/companies/CompanyCourses.tsx'
import { useCompanyCourses } from '#web/companies/useCompanyCourses.ts'
import { EmptyState } from '#web/core/EmptyState.tsx'
import { Section } from '#web/core/Section.tsx'
import type { CompanyRow } from '#shared/companies.ts'

/** All courses of the company. */
export function CoursesTab({ company, onAssign }: { company: CompanyRow; onAssign: () => void }) {
  const { t } = useTranslation()
  const rows = useCompanyCourses(company.id)
  const assign = (
    <Button
      variant="default"
      leftSection={<IconPlus size={18} stroke={1.7} />}
      onClick={onAssign}
      disabled={company.status === 'archived'}
    >
      {t('companies.assign')}
    </Button>
  )
  if (rows.length === 0)
    return <EmptyState title={t('companies.noCourses')} text={t('companies.noCoursesText')} action={assign} />
  return (
    <Section title={t('companies.courseCount', { count: rows.length })} side={assign}>
      <CompanyCourses companyId={company.id} rows={rows} />
    </Section>
  )
}
