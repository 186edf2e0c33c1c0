import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { PageHead } from '#web/core/PageHead.tsx'
import { EventMenu } from '#web/events/EventMenu.tsx'
import { EventState } from '#web/events/EventState.tsx'
import { useEventActs } from '#web/events/useEventActs.tsx'
import type { AdminEvent } from '#shared/events.ts'

type Props = { event: AdminEvent | null; dirty: boolean; onStore: () => Promise<AdminEvent | null>; onFailed: (error: unknown) => void }

/** Title, state, and the one next step: publish, then the registrations. */
export function EditorHead({ event, dirty, onStore, onFailed }: Props) {
  const { t } = useTranslation()
  const acts = useEventActs()
  const [busy, setBusy] = useState(false)
  const publish = async () => {
    setBusy(true)
    try {
      const row = dirty ? await onStore() : event
      if (row) await acts.publish(row)
    } catch (error) {
      onFailed(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <PageHead
        parent={{ to: '/admin/events', label: t('events.admin.title') }}
        title={event ? event.title : t('events.admin.new')}
        line={event ? <EventState event={event} /> : t('events.edit.newLine')}
        actions={event && (
          <>
            <Button variant="default" component={Link} to={`/admin/events/${event.id}/registrations`}>{t('events.admin.registrations')}</Button>
            {event.status === 'draft' && <Button loading={busy} onClick={() => void publish()}>{t('events.acts.publish')}</Button>}
            <Menu position="bottom-end" width={230}>
              <Menu.Target><ActionIcon variant="default" aria-label={t('web.table.rowMenu', { name: event.title })}><IconDots size={18} stroke={1.8} /></ActionIcon></Menu.Target>
              <Menu.Dropdown><EventMenu event={event} acts={acts} here /></Menu.Dropdown>
            </Menu>
          </>
        )}
      />
      {acts.dialogs}
    </>
  )
}
