import type { Answers, Question } from '#shared/events.ts'

/** The questions a person sees: one with a condition only while the question it depends on is seen and answered so. */
export function shownQuestions(questions: Question[], answers: Answers): Question[] {
  const byId = new Map(questions.map((question) => [question.id, question]))
  const isShown = ({ id, showIf }: Question, asked: string[] = []): boolean => {
    if (!showIf) return true
    const other = byId.get(showIf.questionId)
    if (!other || asked.includes(id)) return false
    const given = answers[other.id] ?? ''
    return isShown(other, [...asked, id]) && (Array.isArray(given) ? given.includes(showIf.equals) : given === showIf.equals)
  }
  return questions.filter((question) => isShown(question))
}

/** Only the answers to questions that are seen, without the empty ones. */
export function givenAnswers(questions: Question[], answers: Answers): Answers {
  return Object.fromEntries(shownQuestions(questions, answers).flatMap(({ id }) => {
    const given = answers[id]
    const kept = typeof given === 'string' ? given.trim() : given
    return kept && kept.length > 0 ? [[id, kept]] : []
  }))
}
