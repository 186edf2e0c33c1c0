import { Button } from "@mantine/core";
import { IconMailCheck, IconMailExclamation, IconSend } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { messageOf } from "#web/core/http/messages.ts";
import classes from "#web/settings/mailServer/mailServer.module.css";
import type { useTestMail } from "#web/settings/mailServer/useTestMail.ts";

type Props = { test: ReturnType<typeof useTestMail>; onSend: () => unknown };

/** The button that sends a test email, and its outcome. */
export function TestMail({ test: { outcome, failure, isSending }, onSend }: Props) {
  const { t } = useTranslation();
  const shown = useRef<HTMLDivElement>(null);
  // On a phone, the bar with the buttons would cover the outcome.
  useEffect(() => {
    if (outcome) shown.current?.scrollIntoView({ block: "nearest" });
  }, [outcome]);
  const isBad = outcome?.failure != null;
  const Icon = isBad ? IconMailExclamation : IconMailCheck;
  return (
    <div className={classes.test}>
      <Button
        variant="default"
        leftSection={<IconSend size={18} stroke={1.7} />}
        loading={isSending}
        onClick={() => void onSend()}
      >
        {t("mails.server.test")}
      </Button>
      <div role="status">
        {failure !== null && <p className={classes.bad}>{messageOf(failure)}</p>}
        {outcome && (
          <div ref={shown} className={classes.outcome} data-bad={isBad || undefined}>
            <Icon size={20} stroke={1.7} aria-hidden />
            <div>
              <p>
                <strong>
                  {outcome.failure
                    ? t(`mails.server.failures.${outcome.failure}.title`)
                    : t("mails.server.accepted", { to: outcome.to })}
                </strong>{" "}
                {outcome.failure
                  ? t(`mails.server.failures.${outcome.failure}.text`, { to: outcome.to })
                  : t("mails.server.acceptedText")}
              </p>
              {outcome.answer && (
                <p className={classes.answer}>
                  {t("mails.server.answer")} <code>{outcome.answer}</code>
                </p>
              )}
            </div>
          </div>
        )}
      </div>
    </div>
  );
}
