import {
  deleted,
  OTHER_PERSON,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  training,
  untilErased,
} from "#server/core/domains/personalData.ts";

const TITLE = "(select title from paths where paths.id = path_enrolments.path_id) as title";

export const personalData: PersonalData = {
  entries: [deleted("paths", "path_enrolments", "Learning paths that you are on, and their steps", ownedBy("user_id"))],
  sections: [
    {
      key: "paths",
      purpose: "Training in an order that your company asks for",
      basis: training,
      retention: untilErased,
      table: "path_enrolments",
      extra: TITLE,
      omit: { user_id: SAME_PERSON, made_by: OTHER_PERSON },
      keys: ["path_id"],
      where: ownedBy("user_id"),
    },
    {
      key: "pathSteps",
      purpose: "Training in an order that your company asks for",
      basis: training,
      retention: untilErased,
      table: "path_steps",
      joins: "join path_enrolments on path_enrolments.id = path_steps.enrolment_id",
      extra: TITLE,
      keys: ["enrolment_id", "step_id"],
      where: ownedBy("path_enrolments.user_id"),
    },
  ],
};
