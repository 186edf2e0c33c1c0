import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { useSuspenseQueries } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { SessionsSection } from "#web/auth/account/SessionsSection.tsx";
import { academy } from "#web/core/academy/academy.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { useSession } from "#web/core/session/session.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { queryFor } from "#web/core/api/api.ts";
import { MeasuresNotice, OwnMeasures, ownMeasures } from "#web/measures/OwnMeasures.tsx";
import { ConsentSection, recentChoices } from "#web/privacy/ConsentSection.tsx";
import { EraseDialog } from "#web/privacy/EraseDialog.tsx";
import { StoredData } from "#web/privacy/StoredData.tsx";
import { firstEntries, PersonalAuditLog } from "#web/privacy/PersonalAuditLog.tsx";
import classes from "#web/privacy/Privacy.module.css";
import { downloadExport } from "#web/privacy/downloadExport.ts";
import { showReceipt } from "#web/privacy/showReceipt.tsx";
import { accounts } from "#shared/auth/account.ts";
import { privacy, type Receipt } from "#shared/privacy/privacy.ts";
import { JOURNAL_DATABASE } from "#shared/consent/consent.ts";

/** /privacy-settings: stored data, cookie choice, access log; export and deletion of one's own data. */
export function PrivacySettingsPage() {
  const { t } = useTranslation();
  const { signOut } = useSession();
  const navigate = useNavigate();
  const [deleting, { open, close }] = useDisclosure();
  // All parts appear together, so that nothing moves when one has loaded.
  useSuspenseQueries({
    queries: [
      queryFor(privacy.preview),
      queryFor(accounts.sessions),
      recentChoices(),
      ownMeasures(),
      firstEntries("administration"),
      firstEntries("accounts"),
    ],
  });
  const url = academy.use()?.policyUrl ?? "/privacy-policy";

  const signOutErased = async (receipt: Receipt) => {
    indexedDB.deleteDatabase(JOURNAL_DATABASE);
    await signOut();
    await navigate("/", { replace: true });
    showReceipt(receipt, t("privacy.erase.doneTitle"));
  };
  const link = { variant: "default", children: t("privacy.policy") } as const;
  return (
    <>
      <PageHead
        title={t("privacy.title")}
        line={t("privacy.line")}
        actions={
          url.startsWith("/") ? (
            <Button {...link} component={Link} to={url} />
          ) : (
            <Button {...link} component="a" href={url} rel="noreferrer" />
          )
        }
      />
      <MeasuresNotice />
      <div className={classes.columns}>
        <div>
          <Section title={t("privacy.data.title")} side={<ExportButton />}>
            <StoredData />
            <p className={classes.quiet} style={{ marginTop: 12 }}>
              {t("privacy.data.exportText")}
            </p>
          </Section>
          <SessionsSection />
          <Section title={t("privacy.erase.title")}>
            <div className={classes.danger}>
              <p>{t("privacy.erase.text")}</p>
              <Button variant="default" c="var(--ly-bad)" onClick={open}>
                {t("privacy.erase.verb")}
              </Button>
            </div>
          </Section>
        </div>
        <div>
          <ConsentSection />
          <OwnMeasures />
          <PersonalAuditLog kind="administration" />
          <PersonalAuditLog kind="accounts" />
        </div>
      </div>
      <EraseDialog opened={deleting} onClose={close} onErased={signOutErased} />
    </>
  );
}

function ExportButton() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    await downloadExport().catch((failure: unknown) => toast.failed(failure));
    setBusy(false);
  };
  return (
    <Button
      variant="default"
      loading={busy}
      leftSection={<IconDownload size={18} stroke={1.7} />}
      onClick={() => void run()}
    >
      {t("privacy.data.export")}
    </Button>
  );
}
