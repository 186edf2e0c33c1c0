import {
  deleted,
  interest,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  untilErased,
} from "#server/core/domains/personalData.ts";

export const personalData: PersonalData = {
  entries: [
    deleted(
      "enrolmentRuleExceptions",
      "enrolment_rule_exceptions",
      "Enrolment rules for later people that you met when they were switched on",
      ownedBy("user_id"),
    ),
  ],
  sections: [
    {
      key: "enrolmentRuleExceptions",
      purpose: "Enrolling only people who meet a rule later",
      basis: interest,
      retention: untilErased,
      table: "enrolment_rule_exceptions",
      extra: "(select name from enrolment_rules where enrolment_rules.id = rule_id) as name",
      omit: { user_id: SAME_PERSON },
      keys: ["rule_id"],
      where: ownedBy("user_id"),
    },
  ],
};
