import { useSearchParams } from "react-router";
import { type AnalyticsFilter, countedBy, type CountedBy } from "#shared/analysis/conversationAnalytics.ts";

export const countedNames = Object.keys(countedBy.shape) as (keyof CountedBy)[];
export type Narrowing = CountedBy & Partial<AnalyticsFilter>;

/** Makes the link to the conversations that a figure counts, with the filter of the page. */
export function useCountedLink() {
  const [params] = useSearchParams();
  return (by: Narrowing = {}) => {
    const next = new URLSearchParams([...params].filter(([name]) => name !== "by"));
    next.set("tab", "conversations");
    for (const [name, value] of Object.entries(by)) next.set(name, String(value));
    return `?${next}`;
  };
}
