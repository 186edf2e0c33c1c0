import { useTranslation } from "react-i18next";
import { loadAcademy } from "#web/core/academy/academy.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { Logo } from "#web/core/brand/Logo.tsx";
import { LogoPicker } from "#web/core/logo/LogoPicker.tsx";
import classes from "#web/settings/AcademyLogoField.module.css";
import { LOGO_BYTES } from "#shared/companies/companies.ts";
import { academies, type AcademyLogo, type Settings } from "#shared/settings/settings.ts";

const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/svg+xml"];
type Props = { name: string; logo: AcademyLogo | null; version: number; onSaved: (settings: Settings) => void };

/** The logo of the academy, shown as in the navigation bar, on light and dark backgrounds. */
export function AcademyLogoField({ name, logo, version, onSaved }: Props) {
  const { t } = useTranslation();
  const set = useApiMutation(academies.setLogo, { quiet: true });
  const remove = useApiMutation(academies.removeLogo, { quiet: true });
  return (
    <LogoPicker<Settings>
      hint={t("settings.logo.hint", { limit: LOGO_BYTES / 1024 })}
      types={IMAGE_TYPES}
      maxBytes={LOGO_BYTES}
      hasLogo={logo !== null}
      version={version}
      save={(dataUrl, atVersion) =>
        dataUrl === null
          ? remove.mutateAsync({ query: { version: atVersion } })
          : set.mutateAsync({ body: { dataUrl, version: atVersion } })
      }
      onSaved={async (settings) => {
        onSaved(settings);
        await loadAcademy();
      }}
    >
      {(buttons) => (
        <>
          <div className={classes.grounds}>
            {(["light", "dark"] as const).map((ground) => (
              <div key={ground} className={classes.ground} data-ground={ground} title={t(`settings.logo.${ground}`)}>
                <Logo size={26} shown={{ name, logo }} onDark={ground === "dark"} />
              </div>
            ))}
          </div>
          {buttons}
        </>
      )}
    </LogoPicker>
  );
}
