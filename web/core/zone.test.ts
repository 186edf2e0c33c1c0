import { expect, test } from 'vitest'
import { cityOf, dayIn, endOfDay } from '#web/core/zone.ts'

test.each([
  ['2026-12-12', 'UTC', '2026-12-12T23:59:59.000Z'],
  ['2026-12-12', 'Europe/Oslo', '2026-12-12T22:59:59.000Z'],
  ['2026-07-01', 'America/Vancouver', '2026-07-02T06:59:59.000Z'],
  ['2026-03-29', 'Europe/Oslo', '2026-03-29T21:59:59.000Z'],
  ['2026-10-25', 'Europe/Oslo', '2026-10-25T22:59:59.000Z'],
  ['2026-12-12', 'Pacific/Kiritimati', '2026-12-12T09:59:59.000Z'],
])('%s ends in %s', (day, zone, moment) => {
  expect(endOfDay(day, zone)).toBe(moment)
  expect(dayIn(moment, zone)).toBe(day)
})

test('a zone by its city', () => expect(cityOf('America/Argentina/Buenos_Aires')).toBe('Buenos Aires'))
