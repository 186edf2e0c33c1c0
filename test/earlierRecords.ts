const tables = {
  enrolment_history: ["happened_at", "recorded_at"],
  membership_history: ["happened_at", "recorded_at"],
  company_history: ["happened_at", "recorded_at"],
  completion_history: ["recorded_at"],
  completion_rule_history: ["happened_at", "recorded_at"],
  completion_withdrawals: ["recorded_at"],
  requirement_history: ["recorded_at"],
  course_requirement_history: ["recorded_at"],
  company_privacy_history: ["recorded_at"],
  completion_decisions: ["made_at", "undone_at"],
};

/** SQL statements that move the times at which everything was recorded so many days back; what happened when stays. */
export const recordedEarlier = (days: number) =>
  [
    "select set_config('lyceum.rewrite', 'allowed', true)",
    ...Object.entries(tables).map(
      ([table, columns]) =>
        `update ${table} set ${columns.map((column) => `${column} = ${column} - interval '${days} days'`).join(", ")}`,
    ),
    "alter table group_members disable trigger user",
    `update group_members set since = since - interval '${days} days', until = until - interval '${days} days'`,
    "alter table group_members enable trigger user",
  ].join(";\n");
