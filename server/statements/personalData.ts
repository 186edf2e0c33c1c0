import { nullValue, ownedBy, type PersonalData, SAME_PERSON, training } from "#server/core/domains/personalData.ts";

export const personalData: PersonalData = {
  entries: [
    {
      key: "statements",
      table: "statements",
      what: "Records of what you did in courses and other systems (xAPI)",
      fate: "anonymise",
      why: "They are counted only; you are replaced by a random number, and what you wrote is removed",
      where: ownedBy("user_id"),
      set: { user_id: nullValue, session_id: nullValue, attempt_id: nullValue, registration: nullValue },
    },
    {
      key: "statementDocuments",
      table: "statement_documents",
      what: "Bookmarks and preferences that courses stored for you (xAPI)",
      fate: "delete",
      why: "Only needed to continue a course",
      where: ownedBy("user_id"),
    },
  ],
  sections: [
    {
      key: "statements",
      purpose: "Recording what you did in courses and other systems",
      basis: training,
      retention: "Under a random number without the person after the data is deleted",
      table: "statements",
      only: ["id", "stored_at", "happened_at", "is_voided", "statement"],
      keys: ["position"],
      where: ownedBy("user_id"),
    },
    {
      key: "statementDocuments",
      purpose: "Continuing courses where you left them",
      basis: training,
      retention: "Until the data is deleted",
      table: "statement_documents",
      omit: { user_id: SAME_PERSON },
      keys: ["company_id", "kind", "activity_key", "agent_key", "registration", "document_id"],
      where: ownedBy("user_id"),
    },
  ],
};
