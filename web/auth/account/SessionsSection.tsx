import { Button } from "@mantine/core";
import { IconDeviceDesktop, IconDeviceMobile } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AccountList, AccountRow } from "#web/auth/account/AccountRow.tsx";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { ConfirmButton } from "#web/core/dialog/ConfirmButton.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { accounts } from "#shared/auth/account.ts";

/** This session and the latest others. */
const SHOWN_FIRST = 5;

/** Active sessions with device and time; each, or all others, can be ended. */
export function SessionsSection() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(queryFor(accounts.sessions));
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? data.items : data.items.slice(0, SHOWN_FIRST);
  const end = useApiMutation(accounts.endSession);
  const endOthers = useApiMutation(accounts.endOthers);
  const endOne = (id: string) =>
    void end.mutateAsync({ params: { id } }).then(
      () => toast.done(t("account.sessions.ended")),
      () => {},
    );
  return (
    <Section
      title={t("account.sessions.title")}
      side={
        data.items.length > 1 && (
          <ConfirmButton
            size="xs"
            confirmation={{
              title: t("account.sessions.endOthersTitle"),
              text: t("account.sessions.endOthersText"),
              confirmLabel: t("account.sessions.endOthers"),
              cancelLabel: t("account.sessions.keep"),
              onConfirm: async () =>
                toast.done(t("account.sessions.endedOthers", { count: (await endOthers.mutateAsync()).ended })),
            }}
          >
            {t("account.sessions.endOthers")}
          </ConfirmButton>
        )
      }
    >
      <AccountList>
        {shown.map(({ id, device, kind, createdAt, lastActive, current }) => (
          <AccountRow
            key={id}
            icon={kind === "phone" ? IconDeviceMobile : IconDeviceDesktop}
            name={
              <>
                {device || t("account.sessions.unknownDevice")}{" "}
                {current && <Pill tone="ok">{t("account.sessions.current")}</Pill>}
              </>
            }
            text={
              <>
                {!current && (
                  <>
                    {t("account.sessions.active")} <Time at={lastActive} /> ·{" "}
                  </>
                )}
                {t("account.sessions.since")} <Time at={createdAt} />
              </>
            }
          >
            {!current && (
              <Button
                variant="default"
                loading={end.isPending && end.variables.params.id === id}
                aria-label={`${t("account.sessions.end")}: ${device}`}
                onClick={() => endOne(id)}
              >
                {t("account.sessions.end")}
              </Button>
            )}
          </AccountRow>
        ))}
      </AccountList>
      {data.items.length > shown.length && (
        <Button variant="subtle" size="xs" onClick={() => setShowsAll(true)}>
          {t("account.sessions.showAll", { count: data.items.length })}
        </Button>
      )}
    </Section>
  );
}
