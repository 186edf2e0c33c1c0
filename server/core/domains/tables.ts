/** Rows that are added a year for each `per`, on average: an estimate for planning. */
export type Growth = { rows: number; per: Unit };
type Unit = "learner" | "course" | "company" | "event" | "chatbot" | "document" | "variable" | "admin" | "installation";

/** What a domain says about one of its tables. `test/domains.test.ts` fails if a table is missing. */
export type Table = {
  growth: Growth;
  /** How long a row is kept. */
  kept: string;
  /**
   * References to the author of a row that belongs to others, by column, with their description for the person:
   * "Prompts you last changed". An erasure removes the reference, and the row stays.
   */
  authors?: Record<string, string>;
  /**
   * Columns of text, JSON or bytes that hold nothing about people, though the rows outlive them: by the reason, names
   * separated by spaces.
   */
  notPersonal?: Record<string, string>;
  /** Why a table with personal data has no section in the export. */
  notExported?: string;
};
export type Tables = Record<string, Table>;

export const rows = (count: number, per: Unit): Growth => ({ rows: count, per });

// How long rows are kept, where several tables have the same answer
export const untilRemoved = "until an admin removes it";
export const withAccount = "until the person is erased";
export const forGood = "for good: proof, or the history that reports are computed from";
