import { Button, CopyButton, Drawer, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "#web/core/format/format.ts";
import classes from "#web/mails/MailDrawer.module.css";
import { MailStatus } from "#web/mails/MailStatus.tsx";
import { MailText } from "#web/mails/MailText.tsx";
import { mailReasonText } from "#web/mails/mailReasonText.ts";
import type { Mail } from "#shared/mails/mails.ts";

type Props = { mail: Mail | null; opened: boolean; onClose: () => void };

/** Details of an email: recipient, reason, status and plain text. */
export function MailDrawer({ mail, opened, onClose }: Props) {
  const { t } = useTranslation();
  const firstLink = mail?.body.match(/https?:\/\/\S+/)?.[0];
  // A link whose token was removed by the server cannot be used.
  const link = firstLink?.endsWith("…") ? undefined : firstLink;
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={520}
      padding={26}
      title={mail?.subject}
      closeButtonProps={{ "aria-label": t("core.close") }}
      classNames={{ title: classes.title ?? "" }}
    >
      {mail && (
        <>
          <dl className={classes.facts}>
            <dt>{t("mails.to")}</dt>
            <dd>{mail.recipient}</dd>
            <dt>{t("mails.reason")}</dt>
            <dd>{mailReasonText(mail.reason)}</dd>
            <dt>{t("mails.status")}</dt>
            <dd>
              <MailStatus status={mail.status} />
            </dd>
            <dt>{t("mails.written")}</dt>
            <dd>{formatDateTime(mail.createdAt)}</dd>
            {mail.sentAt && <dt>{t("mails.sentAt")}</dt>}
            {mail.sentAt && <dd>{formatDateTime(mail.sentAt)}</dd>}
          </dl>
          {mail.error && (
            <div className={classes.failure}>
              <Text fw={600} size="sm">
                {t("mails.failure")}
              </Text>
              <Text size="sm">{mail.error}</Text>
              <Text size="sm" mt={4}>
                {t("mails.retry")}
              </Text>
            </div>
          )}
          <div className={classes.paper}>
            <MailText>{mail.body}</MailText>
          </div>
          {link && (
            <CopyButton value={link} timeout={1500}>
              {({ copied, copy }) => (
                <Button
                  mt="md"
                  variant="default"
                  onClick={copy}
                  leftSection={copied ? <IconCheck size={18} stroke={1.7} /> : <IconCopy size={18} stroke={1.7} />}
                >
                  {copied ? t("mails.copied") : t("mails.copyLink")}
                </Button>
              )}
            </CopyButton>
          )}
        </>
      )}
    </Drawer>
  );
}
