import type { TFunction } from "i18next";
import type { OfferDraft } from "#web/catalogue/admin/offerDraft.ts";
import { formatNumber } from "#web/core/format/format.ts";
import { MAX_COUNTED, type Offer } from "#shared/catalogue/catalogue.ts";

// What a change of an offer means for people who have asked or wait

/** A number that is counted up to `MAX_COUNTED`, as it is shown. */
export const counted = (count: number) => ({
  count,
  number: count >= MAX_COUNTED ? `${formatNumber(MAX_COUNTED)}+` : formatNumber(count),
});

/** What happens when a course is taken out of the catalogue. */
export const removalEffects = (t: TFunction, { open, waiting }: Offer) => [
  t("catalogue.effects.removed"),
  ...(open > 0 ? [t("catalogue.effects.openEnd", counted(open))] : []),
  ...(waiting > 0 ? [t("catalogue.effects.waitingEnd", counted(waiting))] : []),
];

/** What happens when an offer is hidden, or people get the course another way. */
export function changeEffects(t: TFunction, offer: Offer, draft: OfferDraft) {
  if (offer.courseStatus !== "published" && offer.open + offer.waiting > 0) return [t("catalogue.effects.paused")];
  const { open, waiting } = offer;
  const isHidden = offer.isVisible && !draft.isVisible;
  const isChanged = isHidden || offer.way !== draft.way;
  const effects = isHidden ? [t("catalogue.effects.hidden")] : [];
  if (isChanged && open > 0)
    effects.push(t(`catalogue.effects.${draft.way === "self" ? "openQueue" : "openStay"}`, counted(open)));
  if (isChanged && waiting > 0)
    effects.push(t(`catalogue.effects.${draft.way === "none" ? "waitingStop" : "waitingStay"}`, counted(waiting)));
  return effects;
}
