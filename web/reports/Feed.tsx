import { Tooltip } from '@mantine/core'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import classes from '#web/reports/Feed.module.css'
import { formatAgo, formatDateTime } from '#web/core/format.ts'
import { Section } from '#web/core/Section.tsx'
import type { Dashboard } from '#shared/reports.ts'

/** What happened last: who completed, failed or joined what. */
export function Feed({ items }: { items: Dashboard['feed'] }) {
  const { t } = useTranslation()
  return (
    <Section title={t('reports.feed.title')}>
      {items.length === 0 && <p className={classes.none}>{t('reports.feed.none')}</p>}
      <ul className={classes.feed}>
        {items.map(({ kind, who, userId, what, at }) => (
          <li key={`${kind} ${userId} ${at} ${what}`}>
            <span className={classes.words}>
              <Trans
                t={t} i18nKey={`reports.feed.${kind}`} values={{ who: who || t('reports.someone'), what }} shouldUnescape={false}
                components={{ person: <Link to={`/learners/report/${userId}`} /> }}
              />
            </span>
            <Tooltip label={formatDateTime(at)}><time dateTime={at}>{formatAgo(at)}</time></Tooltip>
          </li>
        ))}
      </ul>
    </Section>
  )
}
