import type { DeletionInput } from "#shared/rawData/rawData.ts";

/** The selection of a deletion. Days are empty texts if not set. */
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

/** The input for the server, without choices that do not apply. */
export const toDeletionInput = (selection: DeletionSelection): DeletionInput => ({
  courseId: selection.courseId,
  ...(selection.which === "some" && { variableIds: selection.variableIds }),
  ...(selection.whose === "company" && { companyId: selection.companyId }),
  ...(selection.whose === "people" && { userIds: selection.userIds }),
  ...(selection.from && { from: selection.from }),
  ...(selection.to && { to: selection.to }),
  onlyPreview: selection.onlyPreview,
});
