import { Button, Group, Portal } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/companies/page/Poster.module.css";
import { PosterSheet } from "#web/companies/page/PosterSheet.tsx";
import type { CompanyRow } from "#shared/companies/companies.ts";
import { Dialog } from "#web/core/dialog/Dialog.tsx";

/** Printable poster with the access code: shown in a dialog, printed on a page of its own. */
export function Poster({ company, opened, onClose }: { company: CompanyRow; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <Dialog opened={opened} onClose={onClose} title={t("companies.poster.title")} size={520}>
        <div className={classes.preview}>
          <PosterSheet company={company} mark={48} />
        </div>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t("core.close")}
          </Button>
          <Button data-autofocus leftSection={<IconPrinter size={18} stroke={1.7} />} onClick={() => window.print()}>
            {t("companies.poster.print")}
          </Button>
        </Group>
      </Dialog>
      {opened && (
        <Portal reuseTargetNode={false} className={classes.print ?? ""}>
          <div aria-hidden>
            <PosterSheet company={company} mark={84} />
          </div>
        </Portal>
      )}
    </>
  );
}
