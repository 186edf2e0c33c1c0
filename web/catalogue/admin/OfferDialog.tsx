import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CoursePicker, type Required } from "#web/catalogue/admin/CoursePicker.tsx";
import { OfferFields } from "#web/catalogue/admin/OfferFields.tsx";
import { draftOf, emptyDraft, type OfferDraft, termsOf } from "#web/catalogue/admin/offerDraft.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { toast } from "#web/core/toast/toast.ts";
import { catalogue, type Offer } from "#shared/catalogue/catalogue.ts";
import { formatPrice } from "#shared/catalogue/prices.ts";

type Props = {
  companyId: string;
  /** Null: a new one. */
  offer: Offer | null;
  onClose: () => void;
};

/** Offers a course, or changes the terms on which it is offered. */
export function OfferDialog({ companyId, offer, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const [courseId, setCourseId] = useState<string | null>(offer?.courseId ?? null);
  const [draft, setDraft] = useState<OfferDraft>(offer ? draftOf(offer) : emptyDraft);
  const [known, setKnown] = useState(() => titlesOf(offer));
  const [version, setVersion] = useState(offer?.version ?? 0);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { failure, setFailure, attempt } = useFormErrors(setErrors, {
    toField: (path) => path.replace("terms.", "").replace(/\.\d+$/, ""),
  });
  const create = useApiMutation(catalogue.create, { quiet: true });
  const update = useApiMutation(catalogue.update, { quiet: true });
  const save = async (kept: OfferDraft, on: number) => {
    const terms = termsOf(kept);
    if (!terms) return setErrors({ priceMinor: t("catalogue.form.badPrice") });
    if (offer) await update.mutateAsync({ params: { id: offer.id }, body: { terms, version: on } });
    else await create.mutateAsync({ params: { id: companyId }, body: { courseId: courseId ?? "", terms } });
    toast.done(t("catalogue.admin.saved"));
    onClose();
  };
  const conflict = useConflict<Offer>({
    labels: {
      isVisible: t("catalogue.form.visible"),
      way: t("catalogue.form.way"),
      places: t("catalogue.form.places"),
      priceMinor: t("catalogue.form.price"),
      currency: t("catalogue.form.currency"),
      costCentre: t("catalogue.form.costCentre"),
      languages: t("catalogue.form.languages"),
      requiredTitles: t("catalogue.form.requires"),
    },
    onKeepMine: (_, current) => attempt(() => save(draft, current)),
    onTakeTheirs: (theirs) => {
      setDraft(draftOf(theirs));
      setKnown(titlesOf(theirs));
      setVersion(theirs.version);
    },
    formatValue: (field, value, { currency }) => {
      if (typeof value === "boolean") return t(value ? "catalogue.form.yes" : "catalogue.form.no");
      if (field === "way") return t(`catalogue.admin.ways.${value as Offer["way"]}`);
      if (field === "places" && value === null) return t("catalogue.form.unlimited");
      if (Array.isArray(value)) return value.join(", ") || t("catalogue.form.nothingSet");
      if (field === "priceMinor" && typeof value === "number")
        return formatPrice(i18n.language, value, currency ?? null) ?? t("catalogue.form.nothingSet");
      return value === null || value === "" ? t("catalogue.form.nothingSet") : String(value as string);
    },
  });
  const submit = () => {
    if (!courseId) return setErrors({ courseId: t("catalogue.form.pickCourse") });
    return attempt(
      () => save(draft, version),
      (error) => conflict.handleError(error, mineOf(draft, known)),
    );
  };
  return (
    <>
      <FormDialog
        opened
        onClose={onClose}
        title={offer ? t("catalogue.form.editTitle", { course: offer.course }) : t("catalogue.form.addTitle")}
        submitLabel={offer ? t("catalogue.form.save") : t("catalogue.form.add")}
        busy={create.isPending || update.isPending}
        failure={failure}
        size={600}
        onSubmit={submit}
      >
        {!offer && (
          <CoursePicker
            companyId={companyId}
            value={courseId}
            error={errors["courseId"]}
            onChange={(id) => {
              setCourseId(id);
              setErrors({});
            }}
          />
        )}
        <OfferFields
          companyId={companyId}
          courseId={courseId}
          offer={offer}
          draft={draft}
          known={known}
          errors={errors}
          onChange={(changed, chosen = []) => {
            setKnown([...known, ...chosen.filter(({ id }) => !known.some((one) => one.id === id))]);
            setDraft({ ...draft, ...changed });
            setErrors({});
            setFailure(null);
          }}
        />
      </FormDialog>
      {conflict.dialog}
    </>
  );
}

const titlesOf = (offer: Offer | null): Required[] =>
  (offer?.requires ?? []).map((id, at) => ({
    id,
    title: offer?.requiredTitles[at] ?? "",
    isArchived: offer?.archived.includes(id),
  }));

/** The draft as an offer, to compare with what another admin has saved. */
function mineOf(draft: OfferDraft, known: Required[]): Partial<Offer> {
  const terms = termsOf(draft);
  if (!terms) return {};
  return { ...terms, requiredTitles: terms.requires.map((id) => known.find((one) => one.id === id)?.title ?? "") };
}
