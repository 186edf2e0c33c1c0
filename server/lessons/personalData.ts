import { sql } from "kysely";
import {
  deleted,
  emptyText,
  interest,
  nullValue,
  ownedBy,
  type Person,
  type PersonalData,
  SAME_PERSON,
  training,
  untilErased,
} from "#server/core/domains/personalData.ts";

const inAttempts = ({ id }: Person) => sql<boolean>`attempt_id in (select id from attempts where user_id = ${id})`;

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
    deleted("unclearMarks", "unclear_marks", "What you marked as unclear in lessons", inAttempts),
    deleted("commentMentions", "comment_mentions", "Comments that mention you", ownedBy("user_id")),
  ],
  sections: [
    {
      key: "unclearMarks",
      purpose: "Telling authors what is unclear in their lessons",
      basis: training,
      retention: untilErased,
      table: "unclear_marks",
      omit: { dealt_by: "another person" },
      keys: ["attempt_id", "sco", "block_id"],
      where: inAttempts,
    },
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
