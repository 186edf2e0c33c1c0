import { IconLock } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Pill } from "#web/core/display/Pill.tsx";
import classes from "#web/rawData/rawData.module.css";
import { valueText } from "#web/variables/valueText.ts";
import type { RawValue } from "#shared/rawData/rawData.ts";

/** A value that does not count: refused, corrected or deleted. */
const isVoid = ({ refusal, corrected, deletedAt }: RawValue) => refusal !== null || corrected || deletedAt !== null;

/** A value as text; struck through if it does not count, a lock if it is masked. */
export function ValueWords({ value }: { value: RawValue }) {
  const { t } = useTranslation();
  if (value.privacy === "sensitive") return <Masked />;
  const text = valueText(value.value, value, t);
  return isVoid(value) ? <s className={classes.void}>{text}</s> : text;
}

/** A lock in place of the value of a sensitive variable. */
export function Masked() {
  const { t } = useTranslation();
  return (
    <span className={classes.masked} title={t("rawData.maskedText")}>
      <IconLock size={15} stroke={1.7} aria-hidden /> {t("rawData.masked")}
    </span>
  );
}

/**
 * Pills for refused, corrected and deleted values. `short`: without the reason of a refusal, which the history shows
 * next to the pill.
 */
export function ValuePills({ value, short = false }: { value: RawValue; short?: boolean }) {
  const { t } = useTranslation();
  const { refusal, corrected, deletedAt, preview } = value;
  return (
    <>
      {refusal && <Pill tone="bad">{short ? t("rawData.is.refused") : t(`rawData.refusals.${refusal}`)}</Pill>}
      {corrected && <Pill tone="warn">{t("rawData.is.corrected")}</Pill>}
      {deletedAt && <Pill>{t("rawData.is.deleted")}</Pill>}
      {preview && <Pill tone="info">{t("rawData.is.preview")}</Pill>}
    </>
  );
}
