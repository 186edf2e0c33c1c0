import { Button, Group, Modal, Skeleton, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { queryFor, call, useApiMutation } from "#web/core/api/api.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { messageOf } from "#web/core/api/messages.ts";
import { reauthenticate } from "#web/core/session/reauth.ts";
import { toast } from "#web/core/toast/toast.ts";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";
import classes from "#web/privacy/Privacy.module.css";
import { HoldingList } from "#web/privacy/HoldingList.tsx";
import { saveExport } from "#web/privacy/saveExport.ts";
import { accounts } from "#shared/account.ts";
import { type Fate, privacy, type Receipt } from "#shared/privacy.ts";

type Props = {
  opened: boolean;
  onClose: () => void;
  /** Somebody else, whose email has to be typed; without it the own data. */
  other?: { id: string; email: string; name: string } | undefined;
  onErased: (receipt: Receipt) => unknown;
};

/** Dry run, then the erasure: what goes, what stays and why, before anything is pressed. */
export function EraseDialog(props: Props) {
  const { t } = useTranslation();
  const { opened, onClose, other } = props;
  const title = other ? t("privacy.erase.other", { name: other.name || other.email }) : t("privacy.erase.dialogTitle");
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={620}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("core.close") }}
    >
      <Erasure {...props} />
    </Modal>
  );
}

/** The own data goes for good: even in a fresh session the person says once more who they are, where there is a way to. */
async function isConfirmed(stillWanted: () => boolean) {
  const offer = await call(accounts.reauthOptions, {});
  return stillWanted() && (offer.ways.length === 0 || reauthenticate(offer, "final"));
}

function Erasure({ onClose, other, onErased }: Props) {
  const { t } = useTranslation();
  const query = other ? { userId: other.id } : {};
  const { data, error, refetch } = useQuery({ ...queryFor(privacy.preview, { query }), staleTime: 0 });
  const erase = useApiMutation(privacy.erase, {
    alsoInvalidate: other ? ["learners", "companies", "dashboard", "reports", "enrolments", "mails", "audit"] : [],
    quiet: true,
  });
  const [typed, setTyped] = useState("");
  const focusFault = useFocusFirstError();
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  /** A second press while the person is asked begins nothing. */
  const running = useRef(false);
  const ready =
    data !== undefined && !data.refused && (!other || typed.trim().toLowerCase() === other.email.toLowerCase());

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!ready || running.current) return;
    running.current = true;
    setFailure(null);
    try {
      // A button that is busy loses the focus; who goes back wants it where it was.
      if (!other && !(await isConfirmed(() => form.isConnected))) return;
      setBusy(true);
      const receipt = await erase.mutateAsync({ body: query });
      onClose();
      await onErased(receipt);
    } catch (refusal) {
      setFailure(messageOf(refusal));
      focusFault(form);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={180} />;
  const count = (fate: Fate) =>
    data.holdings.filter((holding) => holding.fate === fate).reduce((sum, { rows }) => sum + rows, 0);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <ul className={classes.consequences}>
        <li>{t("privacy.erase.goes", { count: count("delete") })}</li>
        {data.files > 0 && <li>{t("privacy.erase.files", { count: data.files })}</li>}
        {count("anonymise") > 0 && <li>{t("privacy.erase.stays", { count: count("anonymise") })}</li>}
        {count("keep") > 0 && <li>{t("privacy.erase.kept", { count: count("keep") })}</li>}
      </ul>
      <details className={classes.details}>
        <summary>{t("privacy.erase.details")}</summary>
        <div className={classes.wide} tabIndex={0} role="group" aria-label={t("privacy.erase.details")}>
          <HoldingList holdings={data.holdings} />
        </div>
      </details>
      <Text size="sm" mt="sm">
        {t("privacy.erase.final")}
      </Text>
      {other && (
        <TextInput
          mt="md"
          data-autofocus
          autoFocus
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          label={
            <Trans
              t={t}
              i18nKey="privacy.erase.confirmEmail"
              values={{ email: other.email }}
              components={{ code: <code style={{ overflowWrap: "anywhere" }} /> }}
            />
          }
        />
      )}
      {(failure ?? data.refused) && (
        <Text c="var(--ly-bad)" size="sm" mt="sm" role="alert" tabIndex={-1}>
          {failure ?? t("privacy.erase.lastAdmin")}
        </Text>
      )}
      <Group mt="lg" gap="xs" justify="flex-end" className={classes.acts}>
        <Button
          variant="subtle"
          className={classes.first}
          onClick={() => saveExport(other?.id).catch((refusal: unknown) => toast.failed(refusal))}
        >
          {t("privacy.erase.export")}
        </Button>
        <Button variant="default" onClick={onClose}>
          {other ? t("privacy.erase.otherKeep") : t("privacy.erase.keep")}
        </Button>
        <Button type="submit" color="red" loading={busy} disabled={!ready}>
          {other ? t("privacy.erase.otherVerb") : t("privacy.erase.verb")}
        </Button>
      </Group>
    </form>
  );
}
