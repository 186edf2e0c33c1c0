import { ActionIcon, Input, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/display/CopyLine.module.css";

/** An address that has to be carried to another program: in mono, with a button that copies it. */
export function CopyLine({ label, text, hint }: { label: string; text: string; hint?: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useClipboard({ timeout: 1500 });
  const words = copied ? t("web.copy.done") : t("web.copy.action", { what: label });
  return (
    <Input.Wrapper label={label} description={hint} labelElement="div">
      <div className={classes.line}>
        <code className={classes.text}>{text}</code>
        <Tooltip label={words}>
          <ActionIcon aria-label={words} onClick={() => copy(text)}>
            {copied ? <IconCheck size={16} stroke={1.7} /> : <IconCopy size={16} stroke={1.6} />}
          </ActionIcon>
        </Tooltip>
      </div>
    </Input.Wrapper>
  );
}
