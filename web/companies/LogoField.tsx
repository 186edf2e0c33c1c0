import { Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";
import { LogoPicker } from "#web/core/logo/LogoPicker.tsx";
import { companies, type Company, LOGO_BYTES } from "#shared/companies/companies.ts";

const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp"];
type Props = { company: Company; version: number; onSaved: (company: Company) => void };

/** The logo of a company. Without one, initials are shown. */
export function LogoField({ company: { id, name, color, logo }, version, onSaved }: Props) {
  const { t } = useTranslation();
  const set = useApiMutation(companies.setLogo, { quiet: true });
  const remove = useApiMutation(companies.removeLogo, { quiet: true });
  return (
    <LogoPicker<Company>
      hint={t("companies.logo.hint", { limit: LOGO_BYTES / 1024 })}
      types={IMAGE_TYPES}
      maxBytes={LOGO_BYTES}
      hasLogo={logo !== null}
      version={version}
      save={(dataUrl, atVersion) =>
        dataUrl === null
          ? remove.mutateAsync({ params: { id }, query: { version: atVersion } })
          : set.mutateAsync({ params: { id }, body: { dataUrl, version: atVersion } })
      }
      onSaved={onSaved}
    >
      {(buttons) => (
        <Group gap="md" my={6}>
          <CompanyMark name={name} color={color} logo={logo} size={64} />
          {buttons}
        </Group>
      )}
    </LogoPicker>
  );
}
