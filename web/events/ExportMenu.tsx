import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '#web/core/download.ts'
import { toast } from '#web/core/toast.ts'
import { registrationsExportPath } from '#shared/events.ts'

/** The people whom the list shows, as CSV or for a spreadsheet. */
export function ExportMenu({ id, filter }: { id: string; filter: Record<string, string> }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async (kind: 'csv' | 'xlsx') => {
    setBusy(true)
    const query = new URLSearchParams(filter).toString()
    await download(`${registrationsExportPath(id, kind)}${query && `?${query}`}`, `registrations.${kind}`).catch((error: unknown) => toast.failed(error))
    setBusy(false)
  }
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target><Button variant="default" fw={500} loading={busy} leftSection={<IconDownload size={18} stroke={1.7} />} rightSection={<IconChevronDown size={16} stroke={1.7} />}>{t('events.people.export')}</Button></Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save('xlsx')}>{t('events.people.xlsx')}</Menu.Item>
        <Menu.Item onClick={() => void save('csv')}>{t('events.people.csv')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
