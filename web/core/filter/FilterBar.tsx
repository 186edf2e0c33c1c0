import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconChevronDown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatDate } from "#web/core/format/format.ts";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";

type Props = {
  /** First and last day of the period, as `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** Whether a filter besides the period is set: a phone then shows the filters immediately. */
  isNarrowed: boolean;
  className: string | undefined;
  children: ReactNode;
};

/** The filters of a page with figures. On a phone they are behind a button that shows the period. */
export function FilterBar({ from, to, isNarrowed, className, children }: Props) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const [opened, { toggle }] = useDisclosure(isNarrowed);
  const filters = <div className={className}>{children}</div>;
  if (!isPhone) return filters;
  return (
    <>
      <Button
        variant="default"
        fullWidth
        justify="space-between"
        mb="md"
        leftSection={<IconAdjustmentsHorizontal size={18} stroke={1.7} />}
        rightSection={<IconChevronDown size={18} stroke={1.7} style={{ rotate: opened ? "180deg" : "0deg" }} />}
        aria-expanded={opened}
        onClick={toggle}
      >
        <span className="ly-hidden">{t("web.table.filters")}: </span>
        {t("web.time.span", { from: formatDate(from), to: formatDate(to) })}
      </Button>
      {opened && filters}
    </>
  );
}
