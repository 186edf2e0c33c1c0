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
    deleted("measuresSeen", "measures_seen", "That you were told what your company measures", ownedBy("user_id")),
  ],
  sections: [
    {
      key: "measuresSeen",
      purpose: "Telling you once what your company measures",
      basis: interest,
      retention: untilErased,
      table: "measures_seen",
      omit: { user_id: SAME_PERSON },
      keys: ["company_id"],
      where: ownedBy("user_id"),
    },
  ],
};
