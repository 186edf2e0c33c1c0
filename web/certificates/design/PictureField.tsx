import { Button, FileButton, Group, Input } from "@mantine/core";
import { IconPhotoUp } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { issuesOf, messageOf } from "#web/core/http/messages.ts";
import { dataUrlOf } from "#web/core/logo/imageFile.ts";
import { certificates } from "#shared/certificates/certificates.ts";

type Props = { label: string; value: string | null; onChange: (hash: string | null) => void };

/** A picture of a design, which is stored at once; the design refers to it when it is saved. */
export function PictureField({ label, value, onChange }: Props) {
  const { t } = useTranslation();
  const add = useApiMutation(certificates.addPicture, { quiet: true, refetch: false });
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (file: File | null) => {
    if (!file) return;
    setProblem(null);
    try {
      onChange((await add.mutateAsync({ body: { dataUrl: await dataUrlOf(file) } })).hash);
    } catch (error) {
      setProblem(issuesOf(error).dataUrl ?? messageOf(error));
    }
  };
  return (
    <Input.Wrapper label={label} description={t("certificates.design.pictureHint")} error={problem} labelElement="div">
      <Group gap="xs" mt={6}>
        <FileButton accept="image/png,image/jpeg" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              size="xs"
              loading={add.isPending}
              leftSection={<IconPhotoUp size={16} stroke={1.7} />}
            >
              {t("certificates.design.addPicture")}
              <span className="ly-hidden"> {label}</span>
            </Button>
          )}
        </FileButton>
        {value && (
          <>
            <span>{t("certificates.design.chosen")}</span>
            <Button variant="subtle" size="xs" onClick={() => onChange(null)}>
              {t("certificates.design.removePicture")}
            </Button>
          </>
        )}
      </Group>
    </Input.Wrapper>
  );
}
