import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconArchive, IconArrowBackUp, IconDots, IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { Row, RowList } from "#web/core/layout/RowList.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { FieldDialog } from "#web/fields/FieldDialog.tsx";
import classes from "#web/fields/fields.module.css";
import { type Field, fields } from "#shared/fields/fields.ts";
import { isAcademyAdmin } from "#shared/core/users.ts";

const icon = { size: 18, stroke: 1.7 };

/** The fields of the people of a company: its own, and those of all companies. */
export function FieldsTab({ companyId }: { companyId: string }) {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(queryFor(fields.list, { query: { companyId } }));
  const { data: old } = useSuspenseQuery(queryFor(fields.list, { query: { companyId, archived: "yes" } }));
  const [edited, setEdited] = useState<Field | "new" | null>(null);
  const addButton = (
    <Button leftSection={<IconPlus {...icon} />} onClick={() => setEdited("new")}>
      {t("fields.add")}
    </Button>
  );
  return (
    <>
      {data.items.length === 0 ? (
        <EmptyState title={t("fields.none")} text={t("fields.noneText")} action={addButton} />
      ) : (
        <Section title={t("fields.title")} side={addButton}>
          <p className={classes.lead}>{t("fields.line")}</p>
          <FieldRows items={data.items} onEdit={setEdited} />
        </Section>
      )}
      {old.items.length > 0 && (
        <Section title={t("fields.archived")}>
          <FieldRows items={old.items} onEdit={setEdited} />
        </Section>
      )}
      {edited && (
        <FieldDialog
          key={edited === "new" ? "new" : edited.id}
          companyId={companyId}
          {...(edited !== "new" && { field: edited })}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

function FieldRows({ items, onEdit }: { items: Field[]; onEdit: (field: Field) => void }) {
  const { t } = useTranslation();
  const canEditAll = isAcademyAdmin(useUser());
  return (
    <RowList>
      {items.map((field) => (
        <Row
          key={field.id}
          name={field.name}
          pill={field.companyId === null && <Pill>{t("fields.ofAll")}</Pill>}
          line={[
            t(`fields.kinds.${field.kind}`),
            field.kind === "choice" && t("fields.choiceCount", { count: field.choices.length }),
            t(`fields.visibleLine.${field.visibleTo}`),
          ]
            .filter(Boolean)
            .join(", ")}
        >
          <span className={classes.people}>{t("fields.peopleCount", { count: field.people })}</span>
          {(field.companyId !== null || canEditAll) && (
            <Menu position="bottom-end" width={200}>
              <Menu.Target>
                <ActionIcon variant="subtle" aria-label={t("fields.actionsOf", { name: field.name })}>
                  <IconDots {...icon} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <FieldMenu field={field} onEdit={onEdit} />
              </Menu.Dropdown>
            </Menu>
          )}
        </Row>
      ))}
    </RowList>
  );
}

function FieldMenu({ field, onEdit }: { field: Field; onEdit: (field: Field) => void }) {
  const { t } = useTranslation();
  const archive = useApiMutation(fields.archive, { quiet: true });
  const restore = useApiMutation(fields.restore);
  const remove = useApiMutation(fields.remove, { quiet: true });
  const { name } = field;
  const params = { id: field.id };
  const askToArchive = () =>
    confirm({
      title: t("fields.archiveTitle", { name }),
      text: t("fields.archiveText"),
      confirmLabel: t("fields.archive"),
      cancelLabel: t("fields.keep"),
      onConfirm: async () => {
        await archive.mutateAsync({ params });
        toast.done(t("fields.archivedDone", { name }));
      },
    });
  const askToRemove = () =>
    confirm({
      title: t("fields.removeTitle", { name }),
      text: t("fields.removeText"),
      confirmLabel: t("fields.remove"),
      cancelLabel: t("fields.keep"),
      danger: true,
      onConfirm: async () => {
        await remove.mutateAsync({ params });
        toast.done(t("fields.removed", { name }));
      },
    });
  const takeBack = async () => {
    await restore.mutateAsync({ params });
    toast.done(t("fields.restored", { name }));
  };
  return (
    <>
      {field.archivedAt === null ? (
        <>
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onEdit(field)}>
            {t("fields.edit")}
          </Menu.Item>
          <Menu.Item leftSection={<IconArchive {...icon} />} onClick={askToArchive}>
            {t("fields.archive")}
          </Menu.Item>
        </>
      ) : (
        <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={() => void takeBack().catch(() => {})}>
          {t("fields.restore")}
        </Menu.Item>
      )}
      {field.people === 0 && (
        <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={askToRemove}>
          {t("fields.remove")}
        </Menu.Item>
      )}
    </>
  );
}
