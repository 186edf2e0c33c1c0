import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call, queryFor } from "#web/core/api/api.ts";
import { completionRules, isWorking, type RuleChange } from "#shared/completionRules/ruleChanges.ts";
import type { CompletionRule } from "#shared/courses/completionRules.ts";

const WAIT_MS = 500;
const POLL_MS = 700;

/** `change`: the rule as it was counted so far, null before the first answer. */
export type TriedRule = { change: RuleChange | null; error: unknown };
type Asked = { rule: string; change: RuleChange | null; error: unknown };

/** Has the server count a rule whenever it has not changed for a moment; null counts nothing. */
export function useTriedRule(courseId: string, rule: CompletionRule | null): TriedRule {
  const text = rule && JSON.stringify(rule);
  const [asked] = useDebouncedValue(text, WAIT_MS);
  const [answer, setAnswer] = useState<Asked | null>(null);
  useEffect(() => {
    if (asked === null) return;
    let isCurrent = true;
    const keep = (outcome: Pick<Asked, "change" | "error">) => {
      if (isCurrent) setAnswer({ rule: asked, ...outcome });
    };
    call(completionRules.create, {
      params: { id: courseId },
      body: { rule: JSON.parse(asked) as CompletionRule },
    }).then(
      (change) => keep({ change, error: null }),
      (error: unknown) => keep({ change: null, error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [courseId, asked]);
  const created = answer !== null && answer.rule === text ? answer : null;
  const followed = useQuery({
    ...queryFor(completionRules.get, { params: { id: created?.change?.id ?? "" } }),
    enabled: created?.change != null,
    retry: false,
    refetchInterval: ({ state }) => (!state.data || isWorking(state.data.state) ? POLL_MS : false),
  });
  if (!created) return { change: null, error: null };
  return { change: followed.data ?? created.change, error: created.error ?? followed.error };
}
