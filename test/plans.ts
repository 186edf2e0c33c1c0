import type pg from "pg";
import { expect } from "vitest";
import type { start } from "#test/start.ts";

// What statements read, from the plans that PostgreSQL reports while they run

export type Plan = {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
};

/** Rows that a plan takes from tables and indexes, whether it uses them or not. */
export const readBy = (plan: Plan): number =>
  (plan["Relation Name"] ? (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"] : 0) +
  (plan.Plans ?? []).reduce((sum, inner) => sum + readBy(inner), 0);
export const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
export const rowsOf = (plan: Plan, table: string) =>
  nodesOf(plan)
    .filter((node) => node["Relation Name"] === table)
    .reduce((sum, node) => sum + readBy({ ...node, Plans: [] }), 0);

/** Reads addresses of a server with the token of an admin, and the plans of the statements of the last one. */
export function createPlanReader(
  { app, services }: Pick<Awaited<ReturnType<typeof start>>, "app" | "services">,
  admin: string,
) {
  const listening = new Set<pg.PoolClient>();
  const plans: { text: string; plan: Plan }[] = [];
  /** Makes every connection report the plan of every statement, with what it has read. */
  const reportPlans = (connection: pg.PoolClient) => {
    if (listening.has(connection)) return;
    listening.add(connection);
    connection.on("notice", ({ message = "" }) => {
      const json = message.slice(message.indexOf("{"));
      if (!message.startsWith("duration:")) return;
      const report = JSON.parse(json) as { "Query Text": string; Plan: Plan };
      plans.push({ text: report["Query Text"], plan: report.Plan });
    });
    void connection.query(`
      load 'auto_explain';
      set auto_explain.log_min_duration = 0;
      set auto_explain.log_analyze = on;
      set auto_explain.log_timing = off;
      set auto_explain.log_format = 'json';
      set auto_explain.log_level = 'notice'`);
  };
  // Work in the background goes on meanwhile, on the pool of jobs.
  for (const [kind, { pool }] of Object.entries(services.pools)) if (kind !== "jobs") pool.on("acquire", reportPlans);

  /** The number of rows that the answer of one address takes from tables and indexes. */
  const read = async (path: string, token = admin) => {
    const get = () => app.inject({ url: path, headers: { authorization: `Bearer ${token}` } });
    // The first call loads the module that reports plans.
    await get();
    plans.length = 0;
    const reply = await get();
    expect(reply.statusCode).toBe(200);
    // Counting all rows of a list reads all of them, from an index.
    return plans
      .filter(({ text }) => !text.startsWith('select count(*) as "total"'))
      .reduce((sum, { plan }) => sum + readBy(plan), 0);
  };
  return { plans, read };
}
