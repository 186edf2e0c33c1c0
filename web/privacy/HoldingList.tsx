import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDate } from '#web/core/format.ts'
import { Num } from '#web/core/Num.tsx'
import type { Holding } from '#shared/privacy.ts'

/** What is stored, in plain words with numbers, and what would become of it. */
export function HoldingList({ holdings }: { holdings: Holding[] }) {
  const { t } = useTranslation()
  return (
    <Table highlightOnHover={false}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th pl={0}>{t('privacy.data.what')}</Table.Th>
          <Table.Th ta="right" w={90}>{t('privacy.data.count')}</Table.Th>
          <Table.Th>{t('privacy.data.then')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {holdings.map(({ key, what, rows, fate, why, until }) => (
          <Table.Tr key={key}>
            <Table.Td pl={0}>{what}</Table.Td>
            <Table.Td ta="right"><Num value={rows} /></Table.Td>
            <Table.Td>
              {t(`privacy.fate.${fate}`, { until: until ? formatDate(until) : '' })}
              {fate !== 'delete' && <span style={{ display: 'block', color: 'var(--mantine-color-dimmed)', fontSize: 13 }}>{why}</span>}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
