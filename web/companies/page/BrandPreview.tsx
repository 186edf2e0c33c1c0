import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/companies/page/BrandPreview.module.css";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";
import { brandShades, hue } from "#shared/settings/brandColors.ts";

const AEGEAN = "#0f5763";
/** Colours of both schemes, so that the preview does not depend on the admin's own scheme. */
const schemes = {
  light: {
    "--ly-sheet": "#FFFFFF",
    "--mantine-color-body": "#F1F4F3",
    "--mantine-color-text": "#15201E",
    "--mantine-color-dimmed": "#566460",
    "--ly-line": "#E0E6E4",
    "--ly-field": "#7F8D89",
    "--ly-col-todo": "#CCD5D2",
  },
  dark: {
    "--ly-sheet": "#161F1E",
    "--mantine-color-body": "#0E1514",
    "--mantine-color-text": "#E4EBE9",
    "--mantine-color-dimmed": "#9AA8A4",
    "--ly-line": "#28332F",
    "--ly-field": "#6F7E7A",
    "--ly-col-todo": "#3D4B48",
  },
};
/**
 * True if the colour is similar to the accent that marks the current position; the marker then uses the text colour.
 */
const isLikeAccent = (color: string | null) => {
  const angle = color ? hue(color) : null;
  return angle !== null && Math.abs(((angle - 42 + 540) % 360) - 180) <= 25;
};

type Props = { name: string; logo: string | null; color: string | null; welcome: string };

/** Preview of registration card, button, progress and link, in light and dark mode. */
export function BrandPreview({ name, logo, color, welcome }: Props) {
  const { t } = useTranslation();
  const { shades, lightLink, darkLink } = brandShades(color ?? AEGEAN);
  return (
    <div className={classes.both}>
      {(["light", "dark"] as const).map((scheme) => {
        const variables = {
          ...schemes[scheme],
          "--fill": shades[scheme === "light" ? 7 : 5],
          "--link": scheme === "light" ? lightLink : darkLink,
          "--ly-col-done": shades[scheme === "light" ? 7 : 4],
          "--company": color ?? AEGEAN,
          "--ly-pillar": isLikeAccent(color) ? schemes[scheme]["--mantine-color-text"] : "#F2B72E",
        };
        return (
          <figure key={scheme} className={classes.pane} style={variables as CSSProperties}>
            <figcaption>{t(`companies.preview.${scheme}`)}</figcaption>
            <div className={classes.card}>
              <CompanyMark name={name} color={color} logo={logo} size={40} />
              <div>
                <strong>{t("companies.preview.join", { name })}</strong>
                {welcome.trim() && <p>{welcome}</p>}
              </div>
            </div>
            <div className={classes.course}>
              <strong>{t("companies.preview.course")}</strong>
              <Colonnade total={8} done={4} current={5} size="md" />
              <div className={classes.row}>
                <span className={classes.button}>{t("companies.preview.button")}</span>
                <span className={classes.link}>{t("companies.preview.link")}</span>
              </div>
            </div>
          </figure>
        );
      })}
    </div>
  );
}
