/** An issue of the dashboard: `title` and `link`; all other columns are values of its text. */
export type IssueRow = { title: string; link: string; [value: string]: string | number };
