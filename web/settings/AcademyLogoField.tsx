import { Button, FileButton, Group, Input } from "@mantine/core";
import { IconPhotoUp } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { dataUrlOf, isReadableImage } from "#web/companies/imageFile.ts";
import { loadAcademy } from "#web/core/academy/academy.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { Logo } from "#web/core/brand/Logo.tsx";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { formatBytes } from "#web/core/format/format.ts";
import { issuesOf, messageOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/settings/AcademyLogoField.module.css";
import { academies, type AcademyLogo, LOGO_BYTES, type Settings } from "#shared/settings/settings.ts";

const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/svg+xml"];
type Props = { name: string; logo: AcademyLogo | null; version: number; onSaved: (settings: Settings) => void };

/** The logo is saved as soon as an image is chosen. It is shown as in the bar, on light and on dark ground. */
export function AcademyLogoField({ name, logo, version, onSaved }: Props) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<string | null>(null);
  const set = useApiMutation(academies.setLogo, { quiet: true });
  const remove = useApiMutation(academies.removeLogo, { quiet: true });

  const send = async (dataUrl: string | null, atVersion: number) => {
    onSaved(
      dataUrl === null
        ? await remove.mutateAsync({ query: { version: atVersion } })
        : await set.mutateAsync({ body: { dataUrl, version: atVersion } }),
    );
    toast.done(t(dataUrl === null ? "settings.logo.removed" : "settings.logo.saved"));
    await loadAcademy();
  };
  const save = (dataUrl: string | null, atVersion = version) => {
    setProblem(null);
    void send(dataUrl, atVersion).catch(async (error: unknown) => {
      if (!(await conflict.handleError(error, {}))) setProblem(issuesOf(error)["logo"] ?? messageOf(error));
      else setWaiting(dataUrl);
    });
  };
  const [waiting, setWaiting] = useState<string | null>(null);
  const conflict = useConflict<Settings>({
    labels: {},
    onTakeTheirs: onSaved,
    onKeepMine: (_, atVersion) => save(waiting, atVersion),
  });
  const choose = async (file: File | null) => {
    if (!file) return;
    if (!IMAGE_TYPES.includes(file.type)) return setProblem(t("settings.logo.wrongKind", { name: file.name }));
    if (file.size > LOGO_BYTES)
      return setProblem(
        t("settings.logo.tooLarge", { name: file.name, size: formatBytes(file.size), limit: LOGO_BYTES / 1024 }),
      );
    if (!(await isReadableImage(file))) return setProblem(t("settings.logo.unreadable", { name: file.name }));
    save(await dataUrlOf(file));
  };
  return (
    <Input.Wrapper
      label={<OptionalLabel>{t("settings.logo.label")}</OptionalLabel>}
      description={t("settings.logo.hint", { limit: LOGO_BYTES / 1024 })}
      error={problem}
      labelElement="div"
    >
      <div className={classes.grounds}>
        {(["light", "dark"] as const).map((ground) => (
          <div key={ground} className={classes.ground} data-ground={ground} title={t(`settings.logo.${ground}`)}>
            <Logo size={26} shown={{ name, logo }} onDark={ground === "dark"} />
          </div>
        ))}
      </div>
      <Group gap="xs" mb={problem ? 6 : 0}>
        <FileButton accept={IMAGE_TYPES.join(",")} onChange={(file) => void choose(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={set.isPending}
              leftSection={<IconPhotoUp size={18} stroke={1.7} />}
            >
              {t(logo ? "settings.logo.replace" : "settings.logo.choose")}
            </Button>
          )}
        </FileButton>
        {logo && (
          <Button variant="subtle" loading={remove.isPending} onClick={() => save(null)}>
            {t("settings.logo.remove")}
          </Button>
        )}
      </Group>
      {conflict.dialog}
    </Input.Wrapper>
  );
}
