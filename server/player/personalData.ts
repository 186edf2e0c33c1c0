import { sql } from "kysely";
import {
  enrolmentSection,
  historySection,
  inHistory,
  inOwnEnrolments,
  isSubject,
  madeInHistory,
} from "#server/core/domains/history.ts";
import {
  COUNTER,
  deleted,
  nullValue,
  ownedBy,
  type Person,
  type PersonalData,
  SAME_PERSON,
  SECRET,
  training,
  contract,
  untilErased,
} from "#server/core/domains/personalData.ts";
import { isAnonymisedResult, KEPT_FOR_STATISTICS } from "#server/courses/personalData.ts";

const inAttempts = ({ id }: Person) => sql<boolean>`attempt_id in (select id from attempts where user_id = ${id})`;
const inSessions = ({ id }: Person) => sql<boolean>`session_id in (select id from sessions where user_id = ${id})`;
const day = (column: string) => sql`date_trunc('day', ${sql.ref(column)})`;
// The export can be downloaded during a quiz: it tells no solutions, and of open quizzes not what was right.
const isOpenQuiz = `jsonb_typeof(lesson->'quiz') = 'object'
  and (part_states.completion <> 'completed' or jsonb_typeof(lesson->'quiz'->'open') = 'object')`;
const inOpenQuiz = `exists (
  select 1
  from part_states
  where part_states.attempt_id = answers.attempt_id
    and part_states.sco = answers.sco
    and ${isOpenQuiz}
)`;
const withoutSolution = `(
  select coalesce(jsonb_object_agg(name, value), '{}')
  from jsonb_each_text(answers.fields) as field (name, value)
  where name not like 'correct\\_responses.%' and (name <> 'result' or not ${inOpenQuiz})
) as fields`;
const share = ',\\\\"share\\\\":[-+.0-9eE]+';
const withoutShares = `regexp_replace(session_events.events::text, '${share}', '', 'g')::json as events`;
const learningRecord = { purpose: "Learning record", basis: training, retention: untilErased };

export const personalData: PersonalData = {
  entries: [
    inHistory("history.parts", "part_history", "History of the parts of your courses", inOwnEnrolments),
    inHistory("history.completions", "completion_history", "What you have completed, and by which rule", isSubject),
    madeInHistory("completion_history", "Completions that you recorded"),
    deleted("events", "session_events", "Your activity in courses, step by step", inSessions),
    deleted("answers", "answers", "Your answers", inAttempts),
    deleted("states", "part_states", "Your position in courses", inAttempts),
    deleted("quizAllowances", "quiz_allowances", "More time or attempts at quizzes", inOwnEnrolments),
    deleted("launches", "activity_launches", "Launches of content that reports by statements", ownedBy("user_id")),
    deleted("blockViews", "block_views", "When you came to the parts of lessons", inAttempts),
    deleted("sessions", "sessions", "Course sessions, with browser and times", ownedBy("user_id")),
    {
      key: "results.attempts",
      table: "attempts",
      what: "Attempts at finished courses",
      fate: "anonymise",
      why: KEPT_FOR_STATISTICS,
      where: (person) => sql`attempts.enrolment_id in (select id from enrolments where ${isAnonymisedResult(person)})`,
      set: {
        user_id: nullValue,
        current_part: nullValue,
        sequencing: nullValue,
        started_at: day("started_at"),
        last_activity_at: day("last_activity_at"),
        completed_at: day("completed_at"),
      },
    },
    deleted(
      "attempts",
      "attempts",
      "Attempts at other courses",
      (person) =>
        sql`user_id = ${person.id} and not coalesce(
          enrolment_id in (select id from enrolments where ${isAnonymisedResult(person)}),
          false
        )`,
    ),
  ],
  sections: [
    {
      ...learningRecord,
      key: "attempts",
      table: "attempts",
      joins: "join courses on courses.id = attempts.course_id",
      extra: "courses.title as course",
      omit: { user_id: SAME_PERSON, rev: COUNTER },
      keys: ["id"],
      where: ownedBy("attempts.user_id"),
    },
    {
      key: "resumeStates",
      purpose: "Resuming courses",
      basis: contract,
      retention: untilErased,
      table: "part_states",
      extra: `case when ${isOpenQuiz} then lesson - 'answers' else lesson end as lesson`,
      omit: { lesson: "selected without what was right in open quizzes" },
      keys: ["attempt_id", "sco"],
      where: inAttempts,
    },
    {
      ...learningRecord,
      key: "answers",
      table: "answers",
      extra: withoutSolution,
      omit: { fields: "selected without solutions" },
      keys: ["attempt_id", "sco", "n"],
      where: inAttempts,
    },
    {
      ...learningRecord,
      key: "sessions",
      purpose: "Learning record and technical support",
      table: "sessions",
      omit: { user_id: SAME_PERSON, token_hash: SECRET },
      keys: ["id"],
      where: ownedBy("user_id"),
    },
    {
      ...learningRecord,
      key: "activityLaunches",
      table: "activity_launches",
      omit: { user_id: SAME_PERSON, fetch_hash: SECRET, token_hash: SECRET },
      keys: ["id"],
      where: ownedBy("user_id"),
    },
    {
      ...learningRecord,
      key: "sessionEvents",
      purpose: "Evidence of progress",
      table: "session_events",
      extra: withoutShares,
      omit: { events: "selected without how much of each answer was right, which is in the answers" },
      keys: ["session_id", "first_seq"],
      where: inSessions,
    },
    {
      ...learningRecord,
      key: "quizAllowances",
      table: "quiz_allowances",
      keys: ["enrolment_id", "sco"],
      where: inOwnEnrolments,
    },
    enrolmentSection("partHistory", "part_history"),
    historySection("completionHistory", "completion_history", { hasCourse: true }),
  ],
};
