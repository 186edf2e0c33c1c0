import { Button, Table, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { formatAgo } from "#web/core/format/format.ts";
import { isCode } from "#web/core/http/http.ts";

type Versioned = { version: number; updatedAt?: string };
type Options<T extends Versioned> = {
  /** Labels of the fields to compare, in order. */
  labels: Partial<Record<keyof T & string, string>>;
  /** Loads the current row, if the 409 does not contain it as `details.current`. */
  load?: () => Promise<T>;
  /** Saves my values again on top of the current version. */
  onKeepMine: (mine: Partial<T>, version: number) => unknown;
  /** Loads their row into the form. */
  onTakeTheirs: (theirs: T) => void;
  /** Formats a value of a version; plain text by default. */
  formatValue?: (field: keyof T & string, value: unknown, version: Partial<T>) => ReactNode;
};
/** Details of a 409. */
type ConflictDetails<T> = { current?: T; changedBy?: string | null; changedAt?: string | null };
type Conflict<T> = { mine: Partial<T>; theirs: T; by: string | undefined; at: string | undefined };

/**
 * The dialog for 409 `core.conflict`. `await conflict.handleError(error, mine)` returns true if the error was a
 * conflict and the dialog is open. Render `conflict.dialog` in the page.
 */
export function useConflict<T extends Versioned>({
  labels,
  load,
  onKeepMine,
  onTakeTheirs,
  formatValue = (_, value) => toPlainText(value),
}: Options<T>) {
  const [conflict, setConflict] = useState<Conflict<T> | null>(null);
  const [opened, setOpened] = useState(false);

  const handleError = async (error: unknown, mine: Partial<T>) => {
    if (!isCode(error, "core.conflict")) return false;
    const { current, changedBy, changedAt } = error.details as ConflictDetails<T>;
    const theirs = current ?? (await load?.());
    if (!theirs) return false;
    setConflict({ mine, theirs, by: changedBy ?? undefined, at: changedAt ?? theirs.updatedAt });
    setOpened(true);
    return true;
  };
  const close = () => setOpened(false);
  const dialog = conflict && (
    <ConflictDialog
      conflict={conflict}
      labels={labels}
      opened={opened}
      onClose={close}
      show={formatValue}
      onKeep={() => {
        close();
        onKeepMine(conflict.mine, conflict.theirs.version);
      }}
      onTake={() => {
        close();
        onTakeTheirs(conflict.theirs);
      }}
    />
  );
  return { handleError, dialog };
}

type DialogProps<T extends Versioned> = Pick<Options<T>, "labels"> & {
  conflict: Conflict<T>;
  opened: boolean;
  show: (field: keyof T & string, value: unknown, version: Partial<T>) => ReactNode;
  onClose: () => void;
  onKeep: () => void;
  onTake: () => void;
};

function ConflictDialog<T extends Versioned>({
  conflict: { mine, theirs, by, at },
  labels,
  opened,
  show,
  onClose,
  onKeep,
  onTake,
}: DialogProps<T>) {
  const { t } = useTranslation();
  const fields = Object.keys(labels) as (keyof T & string)[];
  const differing = fields.filter((field) => field in mine && toPlainText(mine[field]) !== toPlainText(theirs[field]));
  const when = at ? formatAgo(at).toLowerCase() : "";
  let summary = t("web.conflict.unknown");
  if (at) summary = t("web.conflict.byUnknown", { when });
  if (by) summary = t("web.conflict.by", { name: by, when });

  return (
    <Dialog opened={opened} onClose={onClose} title={t("web.conflict.title")} size={620}>
      <Text>{summary}</Text>
      {differing.length === 0 && (
        <Text c="dimmed" mt="xs">
          {t("web.conflict.same")}
        </Text>
      )}
      {differing.length > 0 && (
        <Table mt="md" highlightOnHover={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("web.conflict.field")}</Table.Th>
              <Table.Th>{t("web.conflict.mine")}</Table.Th>
              <Table.Th>{t("web.conflict.theirs")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differing.map((field) => (
              <Table.Tr key={field}>
                <Table.Td fw={600}>{labels[field]}</Table.Td>
                <Table.Td>{show(field, mine[field], mine) || <Empty />}</Table.Td>
                <Table.Td>{show(field, theirs[field], theirs) || <Empty />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <DialogFooter>
        <Button variant="default" onClick={onTake}>
          {t("web.conflict.take")}
        </Button>
        <Button onClick={onKeep}>{t("web.conflict.keep")}</Button>
      </DialogFooter>
    </Dialog>
  );
}

function Empty() {
  const { t } = useTranslation();
  return (
    <Text span c="dimmed" size="sm">
      {t("web.conflict.empty")}
    </Text>
  );
}

function toPlainText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(toPlainText).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
