import { sql } from "kysely";
import { flows } from "#shared/flows/flows.ts";
import { variables } from "#shared/variables/variables.ts";
import { webhooks } from "#shared/webhooks/webhooks.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  companyRows: {
    flows: (companyId) => sql`t.target_webhook_id in (select id from webhooks where company_id = ${companyId})`,
  },
  async fill({ server: { as }, admin, company, course, learner, tag }) {
    const boss = as(admin);
    const courses = [{ courseId: course.id, access: "both" as const }];
    const define = async (key: string) =>
      bodyOf(await boss(variables.create, { body: { key, label: key, type: "number", courses } })).id;
    const [source, goal] = [await define(`source_${tag}`), await define(`goal_${tag}`)];
    const webhook = bodyOf(
      await boss(webhooks.create, {
        body: { name: `Flow target ${tag}`, url: "https://example.com/", companyId: company.id },
      }),
    );
    const toWebhook = { sourceVariableId: source, target: { kind: "webhook" as const, webhookId: webhook.id } };
    const toVariable = { sourceVariableId: source, target: { kind: "variable" as const, variableId: goal } };
    const flow = bodyOf(await boss(flows.create, { body: toWebhook }));
    const shared = bodyOf(await boss(flows.create, { body: toVariable }));
    return {
      marks: [flow.id, shared.id],
      writes: {
        "flows.create": { body: toWebhook },
        "flows.update": { id: flow.id, body: { version: 1, isActive: false } },
        "flows.remove": { id: flow.id },
        "flows.try": { body: { ...toVariable, value: 1, userId: learner.user.id } },
      },
    };
  },
};
