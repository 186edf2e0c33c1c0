import { Button, FileButton, Group, Input } from "@mantine/core";
import { IconPhotoUp } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";
import { formatBytes } from "#web/core/format/format.ts";
import { issuesOf, messageOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { dataUrlOf, isReadableImage } from "#web/companies/imageFile.ts";
import { companies, type Company, LOGO_BYTES } from "#shared/companies/companies.ts";

const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp"];
type Props = { company: Company; version: number; onSaved: (company: Company) => void };

/** The logo is saved as soon as an image is chosen. Without a logo, initials are shown. */
export function LogoField({ company, version, onSaved }: Props) {
  const { t } = useTranslation();
  const { id, name, color, logo } = company;
  const [logoError, setLogoError] = useState<string | null>(null);
  const set = useApiMutation(companies.setLogo, { quiet: true });
  const remove = useApiMutation(companies.removeLogo, { quiet: true });

  const send = async (dataUrl: string | null, atVersion: number) => {
    onSaved(
      dataUrl === null
        ? await remove.mutateAsync({ params: { id }, query: { version: atVersion } })
        : await set.mutateAsync({ params: { id }, body: { dataUrl, version: atVersion } }),
    );
    toast.done(dataUrl === null ? t("companies.logo.removed") : t("companies.logo.saved"));
  };
  const failed = async (error: unknown, ownChange: { logo: string | null }) => {
    if (!(await conflict.handleError(error, ownChange))) setLogoError(issuesOf(error).logo ?? messageOf(error));
  };
  const conflict = useConflict<Company>({
    labels: { logo: t("companies.logo.label") },
    onTakeTheirs: onSaved,
    onKeepMine: ({ logo = null }, atVersion) =>
      send(logo, atVersion).catch((error: unknown) => failed(error, { logo })),
    formatValue: (_, value) =>
      typeof value === "string" ? <img src={value} alt={t("companies.logo.label")} height={40} /> : "",
  });
  const save = (dataUrl: string | null) => {
    setLogoError(null);
    void send(dataUrl, version).catch((error: unknown) => failed(error, { logo: dataUrl }));
  };
  const choose = async (file: File | null) => {
    if (!file) return;
    if (!IMAGE_TYPES.includes(file.type)) return setLogoError(t("companies.logo.wrongKind", { name: file.name }));
    if (file.size > LOGO_BYTES)
      return setLogoError(
        t("companies.logo.tooLarge", { name: file.name, size: formatBytes(file.size), limit: LOGO_BYTES / 1024 }),
      );
    if (!(await isReadableImage(file))) return setLogoError(t("companies.logo.unreadable", { name: file.name }));
    save(await dataUrlOf(file));
  };
  return (
    <Input.Wrapper
      label={<OptionalLabel>{t("companies.logo.label")}</OptionalLabel>}
      description={t("companies.logo.hint", { limit: LOGO_BYTES / 1024 })}
      error={logoError}
      labelElement="div"
    >
      <Group gap="md" mt={6} mb={logoError ? 6 : 0}>
        <CompanyMark name={name} color={color} logo={logo} size={64} />
        <FileButton accept={IMAGE_TYPES.join(",")} onChange={(file) => void choose(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={set.isPending}
              leftSection={<IconPhotoUp size={18} stroke={1.7} />}
            >
              {logo ? t("companies.logo.replace") : t("companies.logo.choose")}
            </Button>
          )}
        </FileButton>
        {logo && (
          <Button variant="subtle" loading={remove.isPending} onClick={() => save(null)}>
            {t("companies.logo.remove")}
          </Button>
        )}
      </Group>
      {conflict.dialog}
    </Input.Wrapper>
  );
}
