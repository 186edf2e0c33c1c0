import { enrolmentSection, inHistory, inOwnEnrolments, madeInHistory } from "#server/core/domains/history.ts";
import {
  deleted,
  OTHER_PERSON,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  training,
  untilErased,
} from "#server/core/domains/personalData.ts";

export const personalData: PersonalData = {
  entries: [
    deleted(
      "requirements",
      "requirements",
      "Courses that you must hold, and how long they are valid",
      ownedBy("user_id"),
    ),
    deleted(
      "exemptions",
      "requirement_exemptions",
      "Times in which you need not hold a course, and why",
      ownedBy("person_id"),
    ),
    inHistory(
      "requirementHistory",
      "requirement_history",
      "When courses that you had to hold were completed, became valid and expired",
      inOwnEnrolments,
    ),
    madeInHistory("course_requirement_history", "Requirements of companies that you set"),
    deleted("enrolmentCycles", "enrolment_cycles", "Earlier completions of courses that opened again", inOwnEnrolments),
  ],
  sections: [
    enrolmentSection("requirementHistory", "requirement_history"),
    {
      key: "requirements",
      purpose: "Training that your company must be able to prove",
      basis: training,
      retention: untilErased,
      table: "requirements",
      extra: "(select title from courses where courses.id = requirements.course_id) as course",
      omit: { user_id: SAME_PERSON, opened_by: OTHER_PERSON },
      keys: ["enrolment_id"],
      where: ownedBy("user_id"),
    },
    {
      key: "exemptions",
      purpose: "Training that your company must be able to prove",
      basis: training,
      retention: untilErased,
      table: "requirement_exemptions",
      extra: "(select title from courses where courses.id = requirement_exemptions.course_id) as course",
      omit: { person_id: SAME_PERSON, created_by: OTHER_PERSON, ended_by: OTHER_PERSON },
      keys: ["id"],
      where: ownedBy("person_id"),
    },
    {
      key: "enrolmentCycles",
      purpose: "Training that your company must be able to prove",
      basis: training,
      retention: untilErased,
      table: "enrolment_cycles",
      keys: ["enrolment_id", "cycle"],
      where: inOwnEnrolments,
    },
  ],
};
