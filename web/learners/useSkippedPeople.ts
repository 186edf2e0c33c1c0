import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "#web/core/api/api.ts";
import type { Row } from "#web/learners/useInvite.ts";
import { INVITE_LIMIT, learners } from "#shared/learners/learners.ts";

const SETTLE_MS = 300;
const addressOf = (email: string) => email.trim().toLowerCase();

/**
 * Returns a function for the reason (a problem code) why a person would not be invited to the company; undefined if
 * they would be, or while it is not known.
 */
export function useSkippedPeople(companyId: string | undefined, rows: Row[]) {
  const emails = rows.map(({ email }) => addressOf(email)).slice(0, INVITE_LIMIT);
  const [settled] = useDebouncedValue(JSON.stringify(emails), SETTLE_MS);
  const { data } = useQuery({
    queryKey: [learners.checkInvitations.path, companyId, settled],
    queryFn: () =>
      call(learners.checkInvitations, { body: { companyId: companyId ?? "", emails: JSON.parse(settled) } }),
    enabled: companyId !== undefined && settled !== "[]",
    placeholderData: keepPreviousData,
  });
  const reasons = new Map(companyId === undefined ? [] : data?.skipped.map(({ email, reason }) => [email, reason]));
  return (email: string) => reasons.get(addressOf(email));
}
