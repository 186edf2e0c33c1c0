import { sql } from "kysely";
import { clustersOf, detailsOf } from "#server/analysis/questions/questionClusters.ts";
import { NOTIFY_FROM } from "#server/connectors/budgets.ts";
import { spentMicros } from "#server/connectors/connectorRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { IssueRow } from "#server/reports/issueRow.ts";
import { BUILTIN_ID } from "#shared/connectors/connectors.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

// What keeps chatbots from answering, for the dashboard

type Reader = Pick<Ctx<User>, "db" | "user">;
/** The dashboard names a question that was asked this often without an answer. */
const NAMED_FROM = 3;
const TITLE_CHARS = 120;

/** The open questions that were asked most. */
export const findUnanswered = ({ db, user }: Reader) =>
  sql<IssueRow>`
    with most_asked as (
      select *
      from (${clustersOf({ user })}) clusters
      where status in ('open', 'assigned')
        and times >= ${NAMED_FROM}
      order by times desc, last_asked_at desc, id
      limit 2
    ),
    questions as (
      select id, times, chatbot, last_asked_at, ${detailsOf({ user }).question} as question
      from most_asked clusters
      offset 0
    )
    select
      case
        when length(question) > ${TITLE_CHARS} then left(question, ${TITLE_CHARS}) || '…'
        else question
      end as title,
      '/reports/conversation-analytics?tab=unanswered&question=' || id as link,
      times as count,
      chatbot
    from questions
    order by times desc, last_asked_at desc, id`.execute(db);

/** Connectors in use whose last call failed. */
export const findFailingConnectors = ({ db, user }: Reader) =>
  sql<IssueRow>`
    select name as title, '/admin/connectors' as link, failures as count, last_error_code as code
    from connectors
    where status = 'active'
      and id <> ${BUILTIN_ID}
      and last_error_code is not null
      and ${scopeOf(user).kind === "academy"}
    order by last_error_at desc
    limit 2`.execute(db);

/** Budgets that are spent or reserved to more than 80 % this month, except budgets of nothing. */
export const findSpentBudgets = ({ db, user }: Reader) =>
  sql<IssueRow>`
    select
      coalesce(companies.name, connectors.name, '') as title,
      '/admin/connectors' as link,
      budget.kind,
      floor((${spentMicros} + budget.reserved_micros) * 100.0 / budget.limit_micros)::int as count
    from ai_budgets budget
    left join companies on budget.kind = 'company' and companies.id = budget.owner_id
    left join connectors on budget.kind = 'connector' and connectors.id = budget.owner_id
    where budget.limit_micros > 0
      and (${spentMicros} + budget.reserved_micros) > budget.limit_micros * ${NOTIFY_FROM}::float8
      and (
        ${scopeOf(user).kind === "academy"}
        or (budget.kind = 'company' and ${inScope(user, { company: "companies.id" })})
      )
    order by count desc
    limit 2`.execute(db);
