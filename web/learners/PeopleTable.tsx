import { ActionIcon, Button, Group, Switch, Text, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import type { Person, RowStatus } from "#web/learners/parsePeople.ts";
import classes from "#web/learners/PeopleTable.module.css";
import { useSkipReason } from "#web/learners/useSkipReason.ts";
import type { Row } from "#web/learners/useInvite.ts";

/** Number of rows shown initially, and added with each click on "Show more". */
const ROWS_SHOWN = 100;

type Props = {
  rows: Row[];
  /** Why the person with this address would not be invited; undefined if they would be. */
  skipReason: (email: string) => string | undefined;
  onChange: (at: number, part: Partial<Person>) => void;
  onRemove: (at: number) => void;
};
const tones = { ok: "ok", duplicate: "idle", badAddress: "bad", noAddress: "bad" } as const satisfies Record<
  RowStatus,
  string
>;

/** Parsed people with a status per row. Cells can be corrected in place. */
export function PeopleTable({ rows, skipReason, onChange, onRemove }: Props) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(ROWS_SHOWN);
  const [onlyInvalid, setOnlyInvalid] = useState(false);
  const count = (status: RowStatus) => rows.filter((row) => row.status === status).length;
  const skips = rows.filter(({ status, email }) => status === "ok" && skipReason(email)).length;
  const invalid = count("badAddress") + count("noAddress");
  const numbered = rows
    .map((row, at) => ({ row, at }))
    .filter(({ row }) => !onlyInvalid || invalid === 0 || row.status === "badAddress" || row.status === "noAddress");

  return (
    <div>
      <Group mb={8} gap="md" justify="space-between" mih={28}>
        <Text size="sm" role="status">
          {[
            t("learners.invite.ready", { count: count("ok") - skips }),
            skips > 0 && t("learners.invite.skips", { count: skips }),
            invalid > 0 && t("learners.invite.invalid", { count: invalid }),
            count("duplicate") > 0 && t("learners.invite.duplicates", { count: count("duplicate") }),
          ]
            .filter(Boolean)
            .join(", ")}
        </Text>
        {invalid > 0 && rows.length > 8 && (
          <Switch
            size="xs"
            checked={onlyInvalid}
            onChange={(event) => setOnlyInvalid(event.currentTarget.checked)}
            label={t("learners.invite.onlyInvalid")}
          />
        )}
      </Group>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={t("learners.invite.preview")}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t("learners.name")}</th>
              <th scope="col">{t("learners.email")}</th>
              <th scope="col">{t("learners.invite.check")}</th>
              <th>
                <span className="ly-hidden">{t("core.actions")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {numbered.slice(0, shown).map(({ row, at }) => (
              <tr key={at} data-status={row.status === "ok" ? undefined : row.status}>
                <td>
                  <Cell
                    label={t("learners.invite.nameOf", { row: at + 1 })}
                    value={row.name}
                    placeholder={t("learners.invite.noName")}
                    onChange={(name) => onChange(at, { name })}
                  />
                </td>
                <td>
                  <Cell
                    label={t("learners.invite.emailOf", { row: at + 1 })}
                    value={row.email}
                    placeholder={t("learners.invite.noEmail")}
                    bad={row.status === "badAddress" || row.status === "noAddress"}
                    onChange={(email) => onChange(at, { email })}
                  />
                </td>
                <td className={classes.status}>
                  <RowState row={row} reason={skipReason(row.email)} />
                </td>
                <td className={classes.remove}>
                  <ActionIcon
                    size={30}
                    aria-label={t("learners.invite.removeRow", { who: row.email || row.name || at + 1 })}
                    title={t("learners.invite.removeRow", { who: row.email || row.name || at + 1 })}
                    onClick={() => onRemove(at)}
                  >
                    <IconX size={16} />
                  </ActionIcon>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {numbered.length > shown && (
        <Button mt={6} variant="subtle" onClick={() => setShown(shown + ROWS_SHOWN)}>
          {t("learners.invite.more", { count: numbered.length - shown })}
        </Button>
      )}
    </div>
  );
}

function RowState({ row: { status }, reason }: { row: Row; reason: string | undefined }) {
  const { t } = useTranslation();
  const reasonOf = useSkipReason();
  if (status === "ok" && reason)
    return <StatusDot tone="idle">{t("learners.rowStatus.willSkip", { reason: reasonOf(reason) })}</StatusDot>;
  return <StatusDot tone={tones[status]}>{t(`learners.rowStatus.${status}`)}</StatusDot>;
}

type CellProps = {
  label: string;
  value: string;
  placeholder: string;
  bad?: boolean;
  onChange: (value: string) => void;
};

/** Keeps the typed text unchanged, including trailing spaces, until it loses focus. */
function Cell({ label, value, placeholder, bad, onChange }: CellProps) {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <TextInput
      size="xs"
      className={classes.cell}
      aria-label={label}
      aria-invalid={bad || undefined}
      placeholder={placeholder}
      value={draft ?? value}
      spellCheck={false}
      onFocus={() => setDraft(value)}
      onBlur={() => setDraft(null)}
      onChange={(event) => {
        setDraft(event.currentTarget.value);
        onChange(event.currentTarget.value);
      }}
    />
  );
}
