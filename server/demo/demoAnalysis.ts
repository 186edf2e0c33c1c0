import { listClusters, updateCluster } from "#server/analysis/questions/questionClusters.ts";
import { groupQuestions } from "#server/analysis/questions/questionGrouping.ts";
import { createRun } from "#server/analysis/runs/runs.ts";
import { runAnalyses } from "#server/analysis/runs/runWorker.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { questionClusters } from "#shared/analysis/questionClusters.ts";
import type { User } from "#shared/core/users.ts";

const DAY_MS = 86_400_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** A finished analysis of the conversations of the last month, made without a language model. */
export async function addAnalysis(ctx: Ctx<User>) {
  const now = Date.now();
  await createRun(ctx, {
    title: "What people asked this month",
    kind: "counts",
    question: "",
    connectorId: null,
    withTone: false,
    sample: { kind: "all" },
    filter: { from: dayOf(now - 30 * DAY_MS), to: dayOf(now), zone: "UTC" },
  });
  await runAnalyses.work(ctx, {});
  await assignQuestion(ctx);
}

/** Groups the questions that found no answer, and gives the one asked most to the admin. */
async function assignQuestion(ctx: Ctx<User>) {
  await groupQuestions.work(ctx, {});
  const { items } = await listClusters(ctx, questionClusters.list.query.parse({ size: 1 }));
  const [first] = items;
  if (first) await updateCluster(ctx, first.id, { ownerId: ctx.user.id });
}
