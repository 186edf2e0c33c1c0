import type { Ctx } from "#server/core/http/http.ts";
import { createRule, setRuleState } from "#server/enrolmentRules/service.ts";
import { ruleInput } from "#shared/enrolmentRules/enrolmentRules.ts";
import type { User } from "#shared/core/users.ts";

/** Two rules: one that is on, and a draft that waits for an admin to look at its preview. */
export async function addRules(
  ctx: Ctx<User>,
  {
    companyId,
    groupId,
    phishingId,
    heightsId,
  }: { companyId: string; groupId: string; phishingId: string; heightsId: string },
) {
  const add = (input: object) => createRule(ctx, { companyId, ...ruleInput.parse(input) });
  const phishing = await add({
    name: "Everyone learns to spot phishing",
    explanation: "Everyone at Norrvik Energi takes this course within two weeks of joining.",
    courseIds: [phishingId],
    due: { kind: "joined", days: 14 },
  });
  await setRuleState(ctx, phishing.id, { state: "active", version: phishing.version });
  await add({
    name: "Maintenance gets Working at heights",
    explanation: "Everyone in maintenance works at heights.",
    condition: { match: "all", tests: [{ kind: "group", group: groupId, is: "member" }] },
    courseIds: [heightsId],
    due: { kind: "assigned", days: 14 },
    leaving: "withdraw",
  });
}
