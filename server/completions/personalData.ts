import { inOwnEnrolments } from "#server/core/domains/history.ts";
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
      "completionDecisions",
      "completion_decisions",
      "Completions that admins set or took back, with their reasons",
      inOwnEnrolments,
    ),
    deleted(
      "externalCompletions",
      "external_completions",
      "Courses that you completed before or elsewhere, as your company has recorded",
      ownedBy("person_id"),
    ),
  ],
  sections: [
    {
      key: "completionDecisions",
      purpose: "Learning record",
      basis: training,
      retention: untilErased,
      table: "completion_decisions",
      omit: { made_by: OTHER_PERSON, undone_by: OTHER_PERSON },
      keys: ["id"],
      where: inOwnEnrolments,
    },
    {
      key: "externalCompletions",
      purpose: "Learning record",
      basis: training,
      retention: untilErased,
      table: "external_completions",
      omit: { person_id: SAME_PERSON, created_by: OTHER_PERSON },
      keys: ["id"],
      where: ownedBy("person_id"),
    },
  ],
};
