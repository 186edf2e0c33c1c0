import type { TFunction } from "i18next";
import { formatDate } from "#web/core/format/format.ts";
import type { ComplianceCell } from "#shared/requirements/requirements.ts";

/** The day of a cell in as few words as possible: "11 Oct 2027", "due 20 Dec 2026". */
export function cellText(
  t: TFunction,
  { state, validUntil, dueDate, exemptUntil }: Pick<ComplianceCell, "state" | "validUntil" | "dueDate" | "exemptUntil">,
): string {
  if (state === "exempt") return t("requirements.cells.exempt", { day: exemptUntil ? formatDate(exemptUntil) : "" });
  if (state === "missing")
    return dueDate ? t("requirements.cells.missing", { day: formatDate(dueDate) }) : t("requirements.cells.noDue");
  if (state === "overdue") return t("requirements.cells.overdue", { day: dueDate ? formatDate(dueDate) : "" });
  if (validUntil === null) return t(state === "ending" ? "requirements.cells.opened" : "requirements.cells.always");
  return t(`requirements.cells.${state}`, { day: formatDate(validUntil) });
}

/** What is so, in whole sentences. */
export function cellSentences(t: TFunction, cell: ComplianceCell): string[] {
  const { exemptFrom, exemptUntil } = cell;
  const held = heldSentences(t, cell);
  if (exemptFrom === null || exemptUntil === null) return held;
  return [t("requirements.card.exempt", { from: formatDate(exemptFrom), until: formatDate(exemptUntil) }), ...held];
}

function heldSentences(t: TFunction, cell: ComplianceCell): string[] {
  const { state, completedOn, validUntil, dueDate, opensOn, openedOn, isStarted } = cell;
  const day = dueDate ? formatDate(dueDate) : "";
  const completed = completedOn ? formatDate(completedOn) : "";
  const until = validUntil ? formatDate(validUntil) : "";
  if (state === "missing" || (state === "exempt" && !completedOn))
    return [day ? t("requirements.card.missing", { day }) : t("requirements.card.missingNoDue")];
  if (state === "overdue") return [t("requirements.card.overdue", { day })];
  const held = until
    ? t(state === "expired" || state === "exempt" ? "requirements.card.expired" : "requirements.card.valid", {
        completed,
        until,
      })
    : t("requirements.card.always", { completed });
  if (openedOn) {
    const since = { day: formatDate(openedOn) };
    return [held, isStarted ? t("requirements.card.openStarted", since) : t("requirements.card.openNew", since)];
  }
  return state === "valid" && opensOn ? [held, t("requirements.card.opens", { day: formatDate(opensOn) })] : [held];
}
