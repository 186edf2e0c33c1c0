import { ColorInput, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { brandShades, hexColor, readsAsError } from "#shared/branding.ts";
import classes from "#web/companies/ColorField.module.css";

const SWATCHES = [
  "#0f5763",
  "#1a6874",
  "#244f7b",
  "#3f79b3",
  "#50386b",
  "#8e2f6b",
  "#7a2e4d",
  "#7b3f8c",
  "#6e490c",
  "#356319",
  "#45524e",
  "#15201e",
];

type Props = { value: string; onChange: (color: string) => void; label: ReactNode; error?: ReactNode };

/**
 * The brand colour of a company, with a hint if it is darkened to keep text readable. Empty: the default colour of
 * Lyceum.
 */
export function ColorField({ value, onChange, label, error }: Props) {
  const { t } = useTranslation();
  // Escape closes the picker before the surrounding dialog.
  const [picking, { open, close }] = useDisclosure();
  const isValid = hexColor.safeParse(value).success;
  const looksLikeError = isValid && readsAsError(value);
  const { shades, adjusted } = isValid && !looksLikeError ? brandShades(value) : { shades: [], adjusted: false };
  return (
    <div>
      <ColorInput
        label={label}
        error={error}
        value={value}
        onChange={onChange}
        format="hex"
        swatches={SWATCHES}
        swatchesPerRow={6}
        placeholder={t("companies.color.default")}
        styles={{ wrapper: { maxWidth: 280 } }}
        eyeDropperButtonProps={{ "aria-label": t("companies.color.eyeDropper") }}
        description={t("companies.color.hint")}
        fixOnBlur={false}
        onFocus={open}
        onClick={open}
        onBlur={close}
        onKeyDown={(event) => event.key === "Escape" && close()}
        popoverProps={{ opened: picking }}
        {...(picking && { "data-mantine-stop-propagation": true })}
      />
      <div aria-live="polite">
        {looksLikeError && (
          <Text size="sm" mt={8}>
            {t("companies.color.likeError")}
          </Text>
        )}
        {adjusted && (
          <div className={classes.adjusted}>
            <span className={classes.swatches} aria-hidden>
              <span style={{ background: value }} />
              <span style={{ background: shades[7] }} />
            </span>
            <Text size="sm">{t("companies.color.darkened")}</Text>
          </div>
        )}
      </div>
    </div>
  );
}
