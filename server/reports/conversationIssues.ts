import { sql } from "kysely";
import { clustersOf, detailsOf } from "#server/analysis/questionClusters.ts";
import { NOTIFY_FROM } from "#server/connectors/budgets.ts";
import { spentMicros } from "#server/connectors/connectorRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import { BUILTIN_ID } from "#shared/connectors/connectors.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

// What keeps chatbots from answering, for the dashboard

type Reader = Pick<Ctx<User>, "db" | "user">;
type Row = { title: string; link: string; [value: string]: string | number };
/** How often a question is asked without an answer until the dashboard names it. */
const NAMED_FROM = 3;
const TITLE_CHARS = 120;

/** The open questions that were asked most. */
export const findUnanswered = ({ db, user }: Reader) =>
  sql<Row>`
  select case when length(question) > ${TITLE_CHARS} then left(question, ${TITLE_CHARS}) || '…' else question end as title,
    '/reports/conversation-analytics?tab=unanswered&question=' || id as link, times as count, chatbot
  from (select id, times, chatbot, last_asked_at, ${detailsOf({ user }).question} as question from (select * from (${clustersOf({ user })}) k
    where status in ('open', 'assigned') and times >= ${NAMED_FROM} order by times desc, last_asked_at desc, id limit 2) k offset 0) k
  order by times desc, last_asked_at desc, id`.execute(db);

/** Connectors in use whose last call failed. */
export const findFailingConnectors = ({ db, user }: Reader) =>
  sql<Row>`
  select name as title, '/admin/connectors' as link, failures as count, last_error_code as code from connectors
  where status = 'active' and id <> ${BUILTIN_ID} and last_error_code is not null and ${scopeOf(user).kind === "academy"}
  order by last_error_at desc limit 2`.execute(db);

/** Budgets of which more than 80 % are spent or reserved this month; a budget of nothing is not worth a line. */
export const findSpentBudgets = ({ db, user }: Reader) =>
  sql<Row>`
  select coalesce(companies.name, connectors.name, '') as title, '/admin/connectors' as link, b.kind,
    floor((${spentMicros} + b.reserved_micros) * 100.0 / b.limit_micros)::int as count
  from ai_budgets b left join companies on b.kind = 'company' and companies.id = b.owner_id
  left join connectors on b.kind = 'connector' and connectors.id = b.owner_id
  where b.limit_micros > 0 and (${spentMicros} + b.reserved_micros) > b.limit_micros * ${NOTIFY_FROM}::float8
    and (${scopeOf(user).kind === "academy"} or (b.kind = 'company' and ${inScope(user, { company: "companies.id" })}))
  order by count desc limit 2`.execute(db);
