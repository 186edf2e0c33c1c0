import { useEffect, useRef } from "react";

/**
 * A ref for a list of tabs that scrolls sideways: the selected tab is brought into view, also when a link opens the
 * page on it.
 */
export function useTabInView(selected: string | null) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.querySelector('[role="tab"][aria-selected="true"]');
    if (selected !== null) tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [selected]);
  return list;
}
