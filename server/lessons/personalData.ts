import {
  deleted,
  emptyText,
  interest,
  nullValue,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  untilErased,
} from "#server/core/domains/personalData.ts";

export const personalData: PersonalData = {
  entries: [
    deleted("openLesson", "lesson_authors", "Which lesson you had open for writing", ownedBy("user_id")),
    {
      key: "lessonComments",
      table: "lesson_comments",
      what: "Your comments on lessons",
      fate: "anonymise",
      why: "Answers of others stay readable; your words and your name are removed",
      where: ownedBy("author_id"),
      set: { text: emptyText, author_id: nullValue },
    },
    deleted("commentMentions", "comment_mentions", "Comments that mention you", ownedBy("user_id")),
  ],
  sections: [
    {
      key: "lessonComments",
      purpose: "Writing courses together",
      basis: interest,
      retention: untilErased,
      table: "lesson_comments",
      omit: { author_id: SAME_PERSON, resolved_by: "another person, or the person of the export" },
      keys: ["id"],
      where: ownedBy("author_id"),
    },
    {
      key: "commentMentions",
      purpose: "Telling you about comments that mention you",
      basis: interest,
      retention: untilErased,
      table: "comment_mentions",
      omit: { user_id: SAME_PERSON },
      keys: ["comment_id"],
      where: ownedBy("user_id"),
    },
  ],
};
