import { Group, NumberInput, Radio, Stack, Switch, TagsInput, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { PrerequisitePicker, type Required } from "#web/catalogue/admin/CoursePicker.tsx";
import type { OfferDraft } from "#web/catalogue/admin/offerDraft.ts";
import { changeEffects } from "#web/catalogue/admin/offerEffects.ts";
import classes from "#web/catalogue/catalogue.module.css";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import type { Offer } from "#shared/catalogue/catalogue.ts";
import { MAX_LANGUAGES, MAX_PLACES, offerWay } from "#shared/catalogue/terms.ts";

type Props = {
  companyId: string;
  courseId: string | null;
  /** As it is stored; null for a new one. */
  offer: Offer | null;
  draft: OfferDraft;
  known: Required[];
  errors: Record<string, string>;
  /** `known`: titles of courses that were chosen. */
  onChange: (changed: Partial<OfferDraft>, known?: Required[]) => void;
};

/** The terms on which a course is offered. */
export function OfferFields({ companyId, courseId, offer, draft, known, errors, onChange }: Props) {
  const { t } = useTranslation();
  const effects = offer ? changeEffects(t, offer, draft) : [];
  return (
    <>
      <Switch
        mt={4}
        label={t("catalogue.form.visible")}
        checked={draft.isVisible}
        onChange={(event) => onChange({ isVisible: event.currentTarget.checked })}
      />
      <Radio.Group
        label={t("catalogue.form.way")}
        value={draft.way}
        onChange={(way) => onChange({ way: offerWay.parse(way) })}
      >
        <Stack gap={8} mt={6}>
          {offerWay.options.map((way) => (
            <Radio key={way} value={way} label={t(`catalogue.admin.ways.${way}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {draft.way === "request" && (
        <Text size="sm" c="dimmed">
          {t("catalogue.form.unmanaged")}
        </Text>
      )}
      <Stack gap={4} role="status" className={classes.effects}>
        {effects.map((effect) => (
          <Text key={effect} size="sm">
            {effect}
          </Text>
        ))}
      </Stack>
      <NumberInput
        label={<OptionalLabel>{t("catalogue.form.places")}</OptionalLabel>}
        description={t("catalogue.form.placesHint")}
        min={1}
        max={MAX_PLACES}
        allowDecimal={false}
        value={draft.places ?? ""}
        error={errors["places"]}
        onChange={(places) => onChange({ places: typeof places === "number" ? places : null })}
      />
      <Group grow align="flex-start">
        <TextInput
          label={<OptionalLabel>{t("catalogue.form.price")}</OptionalLabel>}
          inputMode="decimal"
          value={draft.price}
          error={errors["priceMinor"]}
          onChange={(event) => onChange({ price: event.currentTarget.value })}
        />
        <TextInput
          label={t("catalogue.form.currency")}
          placeholder="EUR"
          maxLength={3}
          autoCapitalize="characters"
          value={draft.currency}
          error={errors["currency"]}
          onChange={(event) => onChange({ currency: event.currentTarget.value.toUpperCase() })}
        />
      </Group>
      <TextInput
        label={<OptionalLabel>{t("catalogue.form.costCentre")}</OptionalLabel>}
        maxLength={80}
        value={draft.costCentre}
        error={errors["costCentre"]}
        onChange={(event) => onChange({ costCentre: event.currentTarget.value })}
      />
      <TagsInput
        label={<OptionalLabel>{t("catalogue.form.languages")}</OptionalLabel>}
        description={t("catalogue.form.languagesHint")}
        maxTags={MAX_LANGUAGES}
        splitChars={[",", " "]}
        value={draft.languages}
        error={errors["languages"]}
        onChange={(languages) => onChange({ languages })}
      />
      <PrerequisitePicker
        companyId={companyId}
        courseId={courseId}
        value={draft.requires}
        known={known}
        error={errors["requires"]}
        onChange={(requires, chosen) => onChange({ requires }, chosen)}
      />
    </>
  );
}
