import type { TFunction } from "i18next";
import { formatNumber } from "#web/core/format/format.ts";

/** Money with as many digits as small amounts need. */
export function formatMoney(amount: number, currency: string) {
  const digits = amount !== 0 && Math.abs(amount) < 0.1 ? 4 : 2;
  return new Intl.NumberFormat("en-GB", { style: "currency", currency, maximumFractionDigits: digits }).format(amount);
}

/** Milliseconds as people say them: 40 ms, 1.1 s. */
export const formatWait = (ms: number, t: TFunction) =>
  ms < 1000
    ? t("connectors.millis", { value: formatNumber(Math.round(ms)) })
    : t("connectors.seconds", { value: formatNumber(ms / 1000, 1) });
