import { useSearchParams } from "react-router";
import { browserZone } from "#web/core/format/zone.ts";
import { addDays } from "#shared/core/dates.ts";
import { defaultPeriods } from "#shared/core/periods.ts";
import type { AnalyticsFilter } from "#shared/analysis/conversationAnalytics.ts";

const today = (zone: string) => new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(new Date());

/** The filter of the page, stored in the URL. */
export function useAnalyticsFilter() {
  const [params, setParams] = useSearchParams();
  const zone = browserZone();
  const to = params.get("to") ?? today(zone);
  const from = params.get("from") ?? addDays(to, 1 - defaultPeriods.analytics);
  const ids = Object.fromEntries(
    (["chatbotId", "companyId", "courseId", "model"] as const).flatMap((name) => {
      const value = params.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  const filter: AnalyticsFilter = { from, to, zone, ...ids };
  const change = (values: Partial<Record<keyof AnalyticsFilter, string>>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { preventScrollReset: true },
    );
  return { filter, change };
}
