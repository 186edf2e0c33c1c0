import { Button, Group, Modal, Table, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatAgo } from "#web/core/format/format.ts";
import { isCode } from "#web/core/api/http.ts";

type Versioned = { version: number; updatedAt?: string };
type Options<T extends Versioned> = {
  /** Labels of the fields to compare, in order. */
  labels: Partial<Record<keyof T & string, string>>;
  /** The row as it is now, for servers that do not send it along as `details.current`. */
  load?: () => Promise<T>;
  /** Sends my fields again, on top of the version that is there now. */
  keep: (mine: Partial<T>, version: number) => unknown;
  /** Puts their row into the form. */
  take: (theirs: T) => void;
  /** Shows a value; plain text by default. */
  show?: (field: keyof T & string, value: unknown) => ReactNode;
};
/** What a 409 says about the other change. */
type Told<T> = { current?: T; changedBy?: string | null; changedAt?: string | null };
type Found<T> = { mine: Partial<T>; theirs: T; by: string | undefined; at: string | undefined };

/**
 * The dialog for 409 `core.conflict`. `await conflict.caught(error, mine)` answers true when it was one and the dialog
 * took over; put `conflict.dialog` somewhere in the page.
 */
export function useConflict<T extends Versioned>({
  labels,
  load,
  keep,
  take,
  show = (_, value) => plain(value),
}: Options<T>) {
  const [found, setFound] = useState<Found<T> | null>(null);
  const [opened, setOpened] = useState(false);

  const caught = async (error: unknown, mine: Partial<T>) => {
    if (!isCode(error, "core.conflict")) return false;
    const { current, changedBy, changedAt } = error.details as Told<T>;
    const theirs = current ?? (await load?.());
    if (!theirs) return false;
    setFound({ mine, theirs, by: changedBy ?? undefined, at: changedAt ?? theirs.updatedAt });
    setOpened(true);
    return true;
  };
  const close = () => setOpened(false);
  const dialog = found && (
    <ConflictDialog
      found={found}
      labels={labels}
      opened={opened}
      onClose={close}
      show={show}
      onKeep={() => {
        close();
        keep(found.mine, found.theirs.version);
      }}
      onTake={() => {
        close();
        take(found.theirs);
      }}
    />
  );
  return { caught, dialog };
}

type DialogProps<T extends Versioned> = Pick<Options<T>, "labels"> & {
  found: Found<T>;
  opened: boolean;
  show: (field: keyof T & string, value: unknown) => ReactNode;
  onClose: () => void;
  onKeep: () => void;
  onTake: () => void;
};

function ConflictDialog<T extends Versioned>({
  found: { mine, theirs, by, at },
  labels,
  opened,
  show,
  onClose,
  onKeep,
  onTake,
}: DialogProps<T>) {
  const { t } = useTranslation();
  const fields = Object.keys(labels) as (keyof T & string)[];
  const differing = fields.filter((field) => field in mine && plain(mine[field]) !== plain(theirs[field]));
  const when = at ? formatAgo(at).toLowerCase() : "";
  const who = by
    ? t("web.conflict.by", { name: by, when })
    : at
      ? t("web.conflict.byUnknown", { when })
      : t("web.conflict.unknown");

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t("web.conflict.title")}
      size={620}
      closeButtonProps={{ "aria-label": t("core.close") }}
    >
      <Text>{who}</Text>
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
                <Table.Td>{show(field, mine[field]) || <Empty />}</Table.Td>
                <Table.Td>{show(field, theirs[field]) || <Empty />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group mt="lg" gap="xs" justify="flex-end">
        <Button variant="default" onClick={onTake}>
          {t("web.conflict.take")}
        </Button>
        <Button onClick={onKeep}>{t("web.conflict.keep")}</Button>
      </Group>
    </Modal>
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

const plain = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : Array.isArray(value)
      ? value.map(plain).join(", ")
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
