import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { actOf } from '#web/audit/actOf.ts'
import { askKeeping } from '#web/core/api.ts'
import { Section } from '#web/core/Section.tsx'
import { Time } from '#web/core/Time.tsx'
import classes from '#web/privacy/Privacy.module.css'
import { audit } from '#shared/audit.ts'

/** Acts of admins about the person, from the audit log. */
export function OpenedBy() {
  const { t } = useTranslation()
  const [size, setSize] = useState(8)
  const { data } = useQuery(askKeeping(audit.mine, { query: { size } }))
  return (
    <Section title={t('privacy.log.title')}>
      {data?.total === 0 && <p className={classes.quiet}>{t('privacy.log.none')}</p>}
      <ul className={classes.log}>
        {data?.items.map(({ id, at, act, actor, own, course }) => (
          <li key={id}>
            <span>
              {actOf(act)}{course && `, ${course}`}
              <span className={classes.quiet} style={{ display: 'block' }}>{own ? t('privacy.log.self') : actor ? t('privacy.log.admin', { name: actor }) : t('privacy.log.gone')}</span>
            </span>
            <Time at={at} />
          </li>
        ))}
      </ul>
      {data && data.total > data.items.length && size < 200 && <Button variant="subtle" onClick={() => setSize(Math.min(200, size + 40))}>{t('privacy.log.more')}</Button>}
    </Section>
  )
}
