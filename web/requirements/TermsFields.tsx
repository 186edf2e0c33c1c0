import { NumberInput, Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/requirements/requirements.module.css";
import { countsFrom, MAX_DAYS, MAX_MONTHS, type RequirementTerms } from "#shared/requirements/requirements.ts";

type Props = {
  terms: RequirementTerms;
  errors: Record<string, string>;
  onChange: (change: Partial<RequirementTerms>) => void;
};

const monthName = (month: number, language: string) =>
  new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" }).format(new Date(Date.UTC(2028, month - 1, 1)));

type NumberProps = {
  label: string;
  min: number;
  max: number;
  value: number;
  error: string | undefined;
  onChange: (value: number) => void;
};

/** A field for days or months. While it is empty or out of range, its last number counts; it returns on leaving. */
function WholeNumber({ value, min, max, onChange, ...field }: NumberProps) {
  const [typed, setTyped] = useState<string | number>(value);
  return (
    <NumberInput
      {...field}
      min={min}
      max={max}
      allowDecimal={false}
      value={typed}
      onChange={(next) => {
        setTyped(next);
        if (typeof next === "number" && Number.isInteger(next) && next >= min && next <= max) onChange(next);
      }}
      onBlur={() => setTyped(value)}
    />
  );
}

/** How long a completion is valid, what its end is counted from, and when the course opens again. */
export function TermsFields({ terms, errors, onChange }: Props) {
  const { t, i18n } = useTranslation();
  const number = (
    name: "months" | "skipDays" | "windowDays" | "graceDays",
    label: string,
    min: number,
    max: number,
  ) => (
    <WholeNumber
      label={label}
      min={min}
      max={max}
      value={terms[name] ?? min}
      error={errors[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <>
      <div className={classes.pair}>
        {number("months", t("requirements.form.months"), 1, MAX_MONTHS)}
        <Select
          label={t("requirements.form.countsFrom")}
          allowDeselect={false}
          data={countsFrom.options.map((value) => ({ value, label: t(`requirements.form.from.${value}`) }))}
          value={terms.countsFrom}
          onChange={(value) =>
            value && onChange({ countsFrom: value, fixedDay: value === "day" ? { month: 12, day: 31 } : null })
          }
        />
      </div>
      {terms.fixedDay && (
        <>
          <div className={classes.pair}>
            <WholeNumber
              label={t("requirements.form.day")}
              min={1}
              max={31}
              value={terms.fixedDay.day}
              error={errors["fixedDay"]}
              onChange={(day) => terms.fixedDay && onChange({ fixedDay: { ...terms.fixedDay, day } })}
            />
            <Select
              label={t("requirements.form.month")}
              allowDeselect={false}
              data={Array.from({ length: 12 }, (_, at) => ({
                value: String(at + 1),
                label: monthName(at + 1, i18n.language),
              }))}
              value={String(terms.fixedDay.month)}
              onChange={(month) =>
                terms.fixedDay && onChange({ fixedDay: { ...terms.fixedDay, month: Number(month) } })
              }
            />
          </div>
          {number("skipDays", t("requirements.form.skip"), 0, MAX_DAYS)}
        </>
      )}
      {number("windowDays", t("requirements.form.window"), 0, MAX_DAYS)}
      {terms.countsFrom === "previous" && number("graceDays", t("requirements.form.grace"), 0, MAX_DAYS)}
    </>
  );
}
