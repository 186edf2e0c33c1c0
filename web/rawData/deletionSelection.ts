import type { DeletionInput } from "#shared/rawData/rawData.ts";

/** What a person has chosen to delete. Days are empty texts while they are not chosen. */
export type DeletionSelection = {
  courseId: string;
  which: "all" | "some";
  variableIds: string[];
  whose: "everyone" | "company" | "people";
  companyId: string;
  userIds: string[];
  from: string;
  to: string;
  onlyPreview: boolean;
};

export const emptySelection = (courseId: string): DeletionSelection => ({
  courseId,
  which: "all",
  variableIds: [],
  whose: "everyone",
  companyId: "",
  userIds: [],
  from: "",
  to: "",
  onlyPreview: false,
});

/** What the server gets. Choices that do not apply are left out. */
export const toDeletionInput = (selection: DeletionSelection): DeletionInput => ({
  courseId: selection.courseId,
  ...(selection.which === "some" && { variableIds: selection.variableIds }),
  ...(selection.whose === "company" && { companyId: selection.companyId }),
  ...(selection.whose === "people" && { userIds: selection.userIds }),
  ...(selection.from && { from: selection.from }),
  ...(selection.to && { to: selection.to }),
  onlyPreview: selection.onlyPreview,
});
