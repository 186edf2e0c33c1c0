import {
  deleted,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  training,
  untilErased,
} from "#server/core/domains/personalData.ts";

export const personalData: PersonalData = {
  entries: [deleted("transcripts", "transcripts", "Transcripts of what you have completed", ownedBy("person_id"))],
  sections: [
    {
      key: "transcripts",
      purpose: "Records of what you have learned that you asked for, and whether their links were opened",
      basis: training,
      retention: untilErased,
      table: "transcripts",
      omit: { person_id: SAME_PERSON },
      keys: ["id"],
      where: ownedBy("person_id"),
    },
  ],
};
