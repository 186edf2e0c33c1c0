import type { Selection } from "#web/core/table/table.ts";
import type { Learner, LearnerSelection } from "#shared/learners/learners.ts";

/** The selection as the server takes it: the filter of the list if all rows were selected, otherwise ids. */
export const selectionBody = ({ rows, filter }: Selection<Learner>): LearnerSelection =>
  filter ? { filter: filter as LearnerSelection["filter"] } : { ids: rows.map(({ id }) => id) };

/** Some of the loaded rows as a selection. */
export const ofRows = (rows: Learner[]): Selection<Learner> => ({ rows, count: rows.length });
