import type { TFunction } from "i18next";
import { formatNumber } from "#web/core/format/format.ts";

/** Money with as many digits as small amounts need. */
export function formatMoney(amount: number, currency: string) {
  const digits = amount !== 0 && Math.abs(amount) < 0.1 ? 4 : 2;
  return new Intl.NumberFormat("en-GB", { style: "currency", currency, maximumFractionDigits: digits }).format(amount);
}

const MIN_SHOWN_MS = 100;
/** A wait in seconds, at least `0.1 s`. */
export const formatWait = (ms: number, t: TFunction) =>
  t("connectors.seconds", { value: formatNumber(Math.max(ms, MIN_SHOWN_MS) / 1000, 1) });
