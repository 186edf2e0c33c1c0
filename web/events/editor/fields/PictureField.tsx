import { Button, FileButton, Group, Input, Progress } from "@mantine/core";
import { IconPhotoUp } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { formatBytes } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { uploadPicture } from "#web/events/editor/fields/uploadPicture.ts";
import { IMAGE_TYPES, purposes } from "#shared/files/files.ts";

type Props = {
  label: string;
  hint?: string;
  /** CSS class of the frame. */
  frameClass: string;
  path: string | null;
  url: string | null;
  error?: ReactNode;
  onChange: (path: string | null, url: string | null) => void;
};

/** An image that is uploaded when it is chosen, and becomes part of the event when the form is saved. */
export function PictureField({ label, hint, frameClass, path, url, error, onChange }: Props) {
  const { t } = useTranslation();
  const [percent, setPercent] = useState<number | null>(null);
  const [rejection, setRejection] = useState<string | null>(null);
  const { maxBytes } = purposes.event_cover;
  const choose = async (file: File | null) => {
    if (!file) return;
    setRejection(null);
    if (!IMAGE_TYPES.includes(file.type)) return setRejection(t("events.edit.wrongImage", { name: file.name }));
    if (file.size > maxBytes)
      return setRejection(
        t("web.drop.tooLarge", { name: file.name, size: formatBytes(file.size), limit: formatBytes(maxBytes) }),
      );
    setPercent(0);
    try {
      onChange(await uploadPicture(file, setPercent), URL.createObjectURL(file));
    } catch (failure) {
      setRejection(messageOf(failure));
    } finally {
      setPercent(null);
    }
  };
  return (
    <Input.Wrapper
      label={<OptionalLabel>{label}</OptionalLabel>}
      labelElement="div"
      description={hint}
      error={rejection ?? error}
    >
      <Group gap="sm" mt={6} mb={(rejection ?? error) ? 6 : 0}>
        {path && url && (
          <div className={frameClass}>
            <img src={url} alt={label} />
          </div>
        )}
        <FileButton accept={IMAGE_TYPES.join(",")} onChange={(file) => void choose(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={percent !== null}
              leftSection={<IconPhotoUp size={18} stroke={1.7} />}
            >
              {path ? t("events.edit.replaceImage") : t("events.edit.chooseImage")}
            </Button>
          )}
        </FileButton>
        {path && percent === null && (
          <Button variant="subtle" onClick={() => onChange(null, null)}>
            {t("events.edit.removeImage")}
          </Button>
        )}
        {percent !== null && <Progress value={percent} w={120} aria-label={label} />}
      </Group>
    </Input.Wrapper>
  );
}
