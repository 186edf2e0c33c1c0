import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { Ahead } from "#web/outlook/Ahead.tsx";
import { OUTLOOK_DAYS, outlooks } from "#shared/outlook/outlook.ts";

/** What will reach one of a manager's people. */
export function MemberOutlook({ id }: { id: string }) {
  const { t } = useTranslation();
  const [days, setDays] = useState(OUTLOOK_DAYS);
  const { data, error } = useQuery({
    ...queryFor(outlooks.member, { params: { id }, query: { days } }),
    placeholderData: (before) => before,
  });
  return (
    <Section title={t("outlook.ownTitle")}>
      {error && <p role="alert">{messageOf(error)}</p>}
      {!error && !data && <SkeletonRows rows={4} />}
      {data && <Ahead outlook={data} days={days} onDays={setDays} reader="manager" />}
    </Section>
  );
}
