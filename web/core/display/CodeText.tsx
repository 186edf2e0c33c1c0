import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/display/CodeText.module.css";
import { formatCode } from "#shared/companies/companies.ts";

type Props = {
  code: string;
  /** The text to copy, if it is not the code itself, such as a link. */
  copyValue?: string;
  /** `lg`: 33 px for the dark header of a card, without the copy button. */
  size?: "sm" | "lg";
};

/** An access code in groups of four characters, with a copy button. */
export function CodeText({ code, copyValue = code, size = "sm" }: Props) {
  const { t } = useTranslation();
  const { copied, copy } = useClipboard({ timeout: 1500 });
  if (size === "lg")
    return (
      <code className={classes.code} data-size="lg">
        {formatCode(code)}
      </code>
    );
  const label = copied ? t("web.copy.done") : t("web.copy.action", { what: code });
  return (
    <span className={classes.group}>
      <code className={classes.code}>{formatCode(code)}</code>
      <Tooltip label={label}>
        <ActionIcon size={26} aria-label={label} onClick={() => copy(copyValue)} className={classes.copy}>
          {copied ? <IconCheck size={16} stroke={1.7} /> : <IconCopy size={16} stroke={1.6} />}
        </ActionIcon>
      </Tooltip>
    </span>
  );
}
