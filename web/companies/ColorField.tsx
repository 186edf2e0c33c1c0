import { ColorInput, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { brandShades } from "#shared/settings/brandColors.ts";
import { hexColor } from "#shared/settings/branding.ts";
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

/** The resulting colours of buttons in light and dark mode, and a sentence if one had to be changed. */
function useOutcome(value: string) {
  const { t } = useTranslation();
  if (!hexColor.safeParse(value).success) return null;
  const { light, dark } = brandShades(value);
  const chosen = value.toLowerCase();
  const colors = { light, dark };
  if (light !== chosen && dark !== chosen) return { ...colors, text: t("companies.color.both", colors) };
  if (light !== chosen) return { ...colors, text: t("companies.color.light", colors) };
  return dark === chosen ? null : { ...colors, text: t("companies.color.dark", colors) };
}

type Props = { value: string; onChange: (color: string) => void; label: ReactNode; error?: ReactNode };

/** The brand colour of a company, and where it is changed to keep text readable. Empty: the colour of the academy. */
export function ColorField({ value, onChange, label, error }: Props) {
  const { t } = useTranslation();
  // Escape closes the picker before the surrounding dialog.
  const [picking, { open, close }] = useDisclosure();
  const outcome = useOutcome(value);
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
        {outcome && (
          <div className={classes.adjusted}>
            <span className={classes.swatches} aria-hidden>
              <span style={{ background: value }} />
              <span style={{ background: outcome.light }} />
              <span style={{ background: outcome.dark }} />
            </span>
            <Text size="sm">{outcome.text}</Text>
          </div>
        )}
      </div>
    </div>
  );
}
