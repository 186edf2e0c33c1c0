import { Button, FileButton, Group, Input } from "@mantine/core";
import { IconPhotoUp } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { formatBytes } from "#web/core/format/format.ts";
import { issuesOf, messageOf } from "#web/core/http/messages.ts";
import { dataUrlOf, isReadableImage } from "#web/core/logo/imageFile.ts";
import { toast } from "#web/core/toast/toast.ts";

type Props<Row> = {
  hint: string;
  /** MIME types of accepted images. */
  types: string[];
  maxBytes: number;
  hasLogo: boolean;
  version: number;
  /** Saves an image as a data URL, or removes the logo (null). `version`: the one that is replaced. */
  save: (dataUrl: string | null, version: number) => Promise<Row>;
  onSaved: (row: Row) => unknown;
  children: (buttons: ReactNode) => ReactNode;
};

/** Chooses a logo, which is saved immediately. `children` lays out its preview and the buttons. */
export function LogoPicker<Row extends { version: number; logo: unknown }>({
  hint,
  types,
  maxBytes,
  hasLogo,
  version,
  save,
  onSaved,
  children,
}: Props<Row>) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const conflict = useConflict<Row>({
    labels: { logo: t("web.logo.label") } as Partial<Record<keyof Row & string, string>>,
    onTakeTheirs: onSaved,
    onKeepMine: ({ logo }, atVersion) => send((logo as string | null | undefined) ?? null, atVersion),
    formatValue: (_, value) => {
      const address = typeof value === "object" && value !== null && "url" in value ? value.url : value;
      return typeof address === "string" ? <img src={address} alt={t("web.logo.label")} height={40} /> : "";
    },
  });
  const send = async (dataUrl: string | null, atVersion = version) => {
    setProblem(null);
    setBusy(true);
    try {
      await onSaved(await save(dataUrl, atVersion));
      toast.done(t(dataUrl === null ? "web.logo.removed" : "web.logo.saved"));
    } catch (error) {
      if (!(await conflict.handleError(error, { logo: dataUrl } as Partial<Row>)))
        setProblem(issuesOf(error).logo ?? messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const choose = async (file: File | null) => {
    if (!file) return;
    const { name, size, type } = file;
    const limit = maxBytes / 1024;
    if (!types.includes(type)) setProblem(t("web.logo.wrongKind", { name }));
    else if (size > maxBytes) setProblem(t("web.logo.tooLarge", { name, size: formatBytes(size), limit }));
    else {
      const dataUrl = (await isReadableImage(file)) ? await dataUrlOf(file).catch(() => null) : null;
      if (dataUrl === null) setProblem(t("web.logo.unreadable", { name }));
      else await send(dataUrl);
    }
  };
  return (
    <Input.Wrapper
      label={<OptionalLabel>{t("web.logo.label")}</OptionalLabel>}
      description={hint}
      error={problem}
      labelElement="div"
    >
      {children(
        <Group gap="xs">
          <FileButton accept={types.join(",")} onChange={(file) => void choose(file)}>
            {(props) => (
              <Button {...props} variant="default" loading={busy} leftSection={<IconPhotoUp size={18} stroke={1.7} />}>
                {t(hasLogo ? "web.logo.replace" : "web.logo.choose")}
              </Button>
            )}
          </FileButton>
          {hasLogo && (
            <Button variant="subtle" disabled={busy} onClick={() => void send(null)}>
              {t("web.logo.remove")}
            </Button>
          )}
        </Group>,
      )}
      {conflict.dialog}
    </Input.Wrapper>
  );
}
