import { Button, Popover, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { lazyDialog } from "#web/core/dialog/lazyDialog.tsx";
import { nameOf } from "#web/core/display/person.ts";
import { toast } from "#web/core/toast/toast.ts";
import { cellSentences, cellText } from "#web/requirements/cellText.ts";
import classes from "#web/requirements/requirements.module.css";
import { type ComplianceCell, type CompliancePerson, requirements } from "#shared/requirements/requirements.ts";

const ExemptionDialog = lazyDialog(() =>
  import("#web/requirements/ExemptionDialog.tsx").then(({ ExemptionDialog }) => ExemptionDialog),
);

type Props = {
  person: CompliancePerson;
  cell: ComplianceCell;
  course: string;
  /** The page of the person, and what it is; null for an erased person. */
  path: string | null;
  page: "report" | "person";
  canOpen: boolean;
};

/** One requirement of a person: its day, and a card with what is so and what can be done. */
export function CellCard({ person, cell, course, path, page, canOpen }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [isExempting, setExempting] = useState(false);
  const open = useApiMutation(requirements.open, { quiet: true });
  const close = useApiMutation(requirements.close, { quiet: true });
  const name = nameOf(person);
  const params = { id: cell.enrolmentId };
  const askToOpen = () => {
    setOpened(false);
    confirm({
      title: t("requirements.openTitle", { course, name }),
      text: t(cell.validUntil ? "requirements.openText" : "requirements.openTextAlways"),
      confirmLabel: t("requirements.card.open"),
      cancelLabel: t("core.cancel"),
      onConfirm: async () => {
        await open.mutateAsync({ params });
        toast.done(t("requirements.opened", { name }));
      },
    });
  };
  const takeBack = () =>
    close
      .mutateAsync({ params })
      .then(() => {
        setOpened(false);
        toast.done(t("requirements.closed"));
      })
      .catch((error: unknown) => toast.failed(error));
  const isOpen = cell.openedOn !== null;
  const showExemptions = () => {
    setOpened(false);
    setExempting(true);
  };
  return (
    <>
      {isExempting && <ExemptionDialog {...{ person, cell, course }} onClose={() => setExempting(false)} />}
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-start"
        width={320}
        shadow="md"
        trapFocus
        returnFocus
        withinPortal
      >
        <Popover.Target>
          <UnstyledButton
            className={classes.cell}
            data-state={cell.state}
            aria-label={`${course}: ${t(`requirements.states.${cell.state}`)}, ${cellText(t, cell)}`}
            onClick={() => setOpened(!opened)}
          >
            <span className={classes.arch} aria-hidden />
            {cellText(t, cell)}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown>
          <strong>{course}</strong>
          <div className={classes.dim}>{name}</div>
          {cellSentences(t, cell).map((sentence) => (
            <p key={sentence} className={classes.sentence}>
              {sentence}
            </p>
          ))}
          <div className={classes.actions}>
            {path && (
              <Button component={Link} to={path} variant="default" size="xs">
                {t(`requirements.card.${page}`)}
              </Button>
            )}
            {canOpen && !isOpen && cell.completedOn !== null && (
              <Button variant="default" size="xs" onClick={askToOpen}>
                {t("requirements.card.open")}
              </Button>
            )}
            {canOpen && (
              <Button variant="default" size="xs" onClick={showExemptions}>
                {t("exemptions.open")}
              </Button>
            )}
            {cell.canClose && (
              <Button variant="default" size="xs" loading={close.isPending} onClick={() => void takeBack()}>
                {t("requirements.card.close")}
              </Button>
            )}
          </div>
        </Popover.Dropdown>
      </Popover>
    </>
  );
}
