import { Button, Skeleton, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { queryFor, call, useApiMutation } from "#web/core/api/api.ts";
import { withForeignSentence } from "#web/core/http/http.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { messageOf } from "#web/core/http/messages.ts";
import { reauthenticate } from "#web/core/session/reauth.ts";
import { toast } from "#web/core/toast/toast.ts";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";
import classes from "#web/privacy/Privacy.module.css";
import { StoredDataTable } from "#web/privacy/StoredDataTable.tsx";
import { downloadExport } from "#web/privacy/downloadExport.ts";
import { accounts } from "#shared/auth/account.ts";
import { type Fate, privacy, type Receipt } from "#shared/privacy/privacy.ts";

type Props = {
  opened: boolean;
  onClose: () => void;
  /** Another person, whose email, or else name, must be typed to confirm; if omitted, one's own data is erased. */
  other?: { id: string; email: string | null; name: string } | undefined;
  onErased: (receipt: Receipt) => unknown;
};

/** Shows what an erasure deletes, what it keeps and why, then erases the person. */
export function EraseDialog(props: Props) {
  const { t } = useTranslation();
  const { opened, onClose, other } = props;
  const title = other ? t("privacy.erase.other", { name: other.name || other.email }) : t("privacy.erase.dialogTitle");
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={620} closeOnClickOutside={false}>
      <EraseForm {...props} />
    </Dialog>
  );
}

/** Before people erase themselves, they reauthenticate even in a recent session, if a method is available. */
async function confirmIdentity(isStillOpen: () => boolean) {
  const offer = await call(accounts.reauthOptions, {});
  return isStillOpen() && (offer.methods.length === 0 || reauthenticate(offer, "final"));
}

function EraseForm({ onClose, other, onErased }: Props) {
  const { t } = useTranslation();
  const query = other ? { userId: other.id } : {};
  const { data, error, refetch } = useQuery({ ...queryFor(privacy.preview, { query }), staleTime: 0 });
  const erase = useApiMutation(privacy.erase, {
    refetch: other !== undefined,
    quiet: true,
  });
  const [typed, setTyped] = useState("");
  const focusFirstError = useFocusFirstError();
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  /** Prevents a second submit during reauthentication. */
  const running = useRef(false);
  const ready =
    data !== undefined &&
    !data.refused &&
    (!other || typed.trim().toLowerCase() === (other.email ?? other.name).toLowerCase());

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!ready || running.current) return;
    running.current = true;
    setFailure(null);
    try {
      // Set after reauthentication, because a loading button loses the focus, which must be kept on cancel.
      if (!other && !(await confirmIdentity(() => form.isConnected))) return;
      setBusy(true);
      const receipt = await erase.mutateAsync({ body: query });
      onClose();
      await onErased(receipt);
    } catch (submitError) {
      setFailure(messageOf(withForeignSentence(submitError, t("privacy.erase.failed"))));
      focusFirstError(form);
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
        <li>{t("privacy.erase.deleted", { count: count("delete") })}</li>
        {data.files > 0 && <li>{t("privacy.erase.files", { count: data.files })}</li>}
        {count("anonymise") > 0 && <li>{t("privacy.erase.anonymised", { count: count("anonymise") })}</li>}
        {count("keep") > 0 && <li>{t("privacy.erase.retained", { count: count("keep") })}</li>}
      </ul>
      <details className={classes.details}>
        <summary>{t("privacy.erase.details")}</summary>
        <div className={classes.wide} tabIndex={0} role="group" aria-label={t("privacy.erase.details")}>
          <StoredDataTable holdings={data.holdings} />
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
              values={{ email: other.email ?? other.name }}
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
      <DialogFooter className={classes.actions}>
        <Button
          variant="subtle"
          className={classes.first}
          onClick={() => downloadExport(other?.id).catch((exportError: unknown) => toast.failed(exportError))}
        >
          {t("privacy.erase.export")}
        </Button>
        <Button variant="default" onClick={onClose}>
          {other ? t("privacy.erase.otherKeep") : t("privacy.erase.keep")}
        </Button>
        <Button type="submit" color="red" loading={busy} disabled={!ready}>
          {other ? t("privacy.erase.otherVerb") : t("privacy.erase.verb")}
        </Button>
      </DialogFooter>
    </form>
  );
}
