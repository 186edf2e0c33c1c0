import { expect, test } from 'vitest'
import { givenAnswers, shownQuestions } from '#web/events/shownQuestions.ts'
import type { Question } from '#shared/events.ts'

const ids = ['a', 'b', 'c'].map((letter) => `00000000-0000-4000-8000-00000000000${letter}`) as [string, string, string]
const ask = (id: string, kind: Question['kind'], showIf: Question['showIf'] = null): Question => ({ id, label: id, help: '', kind, options: [], required: false, showIf, retentionDays: null })
const [a, b, c] = ids
const chain = [ask(a, 'choices'), ask(b, 'checkbox', { questionId: a, equals: 'Lunch' }), ask(c, 'line', { questionId: b, equals: 'yes' })]
const seen = (answers: Record<string, string | string[]>) => shownQuestions(chain, answers).map(({ id }) => id)

test('a question shows with its condition, and hides with everything that depends on it', () => {
  expect(seen({})).toEqual([a])
  expect(seen({ [a]: ['Dinner', 'Lunch'] })).toEqual([a, b])
  expect(seen({ [a]: ['Lunch'], [b]: 'yes' })).toEqual([a, b, c])
  expect(seen({ [a]: ['Dinner'], [b]: 'yes' })).toEqual([a])
})

test('conditions in a circle show nothing instead of running for ever', () => {
  const circle = [ask(a, 'line', { questionId: b, equals: 'x' }), ask(b, 'line', { questionId: a, equals: 'x' })]
  expect(shownQuestions(circle, { [a]: 'x', [b]: 'x' })).toEqual([])
})

test('answers to hidden questions and empty answers stay here', () => {
  expect(givenAnswers(chain, { [a]: ['Dinner'], [b]: 'yes', [c]: ' ' })).toEqual({ [a]: ['Dinner'] })
})
