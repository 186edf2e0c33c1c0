import type { Probes } from "#test/probes.ts";

export const probes: Probes = {
  withoutCompany: ["lessonDrafts.*", "lessonVersions.*", "lessonComments.*", "unclearMarks.*"],
};
