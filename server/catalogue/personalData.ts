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
      "catalogueRequests",
      "catalogue_requests",
      "Courses that you took or asked for from the catalogue, and places on waiting lists",
      ownedBy("user_id"),
    ),
    deleted(
      "catalogueNotices",
      "catalogue_notices",
      "When you last got emails about the catalogue",
      ownedBy("user_id"),
    ),
  ],
  sections: [
    {
      key: "catalogueRequests",
      purpose: "Courses that you take or ask for yourself",
      basis: training,
      retention: untilErased,
      table: "catalogue_requests",
      joins: "join catalogue_offers on catalogue_offers.id = catalogue_requests.offer_id",
      extra: "(select title from courses where courses.id = catalogue_offers.course_id) as course",
      omit: { user_id: SAME_PERSON, decided_by: OTHER_PERSON, told_to: OTHER_PERSON },
      keys: ["offer_id"],
      where: ownedBy("catalogue_requests.user_id"),
    },
  ],
};
