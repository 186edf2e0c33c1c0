import { ActionIcon, Input, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/display/CopyField.module.css";

/** A read-only value for another program, such as a URL, with a copy button. */
export function CopyField({ label, text, hint }: { label: string; text: string; hint?: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useClipboard({ timeout: 1500 });
  const buttonLabel = copied ? t("web.copy.done") : t("web.copy.action", { what: label });
  return (
    <Input.Wrapper label={label} description={hint} labelElement="div">
      <div className={classes.line}>
        <code className={classes.text}>{text}</code>
        <Tooltip label={buttonLabel}>
          <ActionIcon aria-label={buttonLabel} onClick={() => copy(text)}>
            {copied ? <IconCheck size={16} stroke={1.7} /> : <IconCopy size={16} stroke={1.6} />}
          </ActionIcon>
        </Tooltip>
      </div>
    </Input.Wrapper>
  );
}
