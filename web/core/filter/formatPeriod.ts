import { formatDate, formatDay } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";

/** `27 Oct to 25 Nov 2026`; with both years if they differ. */
export const formatPeriod = (from: string, to: string) =>
  i18n.t("web.time.span", {
    from: from.slice(0, 4) === to.slice(0, 4) ? formatDay(from) : formatDate(from),
    to: formatDate(to),
  });
