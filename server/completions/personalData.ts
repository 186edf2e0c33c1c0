import { inOwnEnrolments } from "#server/core/domains/history.ts";
import { deleted, OTHER_PERSON, type PersonalData, training, untilErased } from "#server/core/domains/personalData.ts";

export const personalData: PersonalData = {
  entries: [
    deleted(
      "completionDecisions",
      "completion_decisions",
      "Completions that admins set or took back, with their reasons",
      inOwnEnrolments,
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
  ],
};
