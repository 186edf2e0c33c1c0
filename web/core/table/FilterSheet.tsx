import { ActionIcon, Button, Drawer, Group, Input, NativeSelect, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/table/DataTable.module.css";
import { DayFilter } from "#web/core/filter/DayFilter.tsx";
import { SearchBox } from "#web/core/filter/SearchBox.tsx";
import type { useListState } from "#web/core/table/useListState.ts";
import type { Filter } from "#web/core/filter/filter.ts";
import { type Column, sortName } from "#web/core/table/table.ts";

type Props = Pick<ReturnType<typeof useListState>, "state" | "change" | "clear"> & {
  filters: Filter[];
  sorts: Column<never>[];
  /** A sort that belongs to no column. */
  defaultSort?: { value: string; label: string };
  total: number | undefined;
  children: ReactNode;
};

/** Filters and sorting of a list on a phone, in a bottom sheet. */
export function FilterSheet({ state, change, clear, filters, sorts, defaultSort, total, children }: Props) {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  const active = Object.keys(state.filters).length;
  const sortOptions = [
    ...(defaultSort ? [defaultSort] : []),
    ...sorts.flatMap((column) => {
      const name = sortName(column);
      if (!name) return [];
      const ascending = { value: name, label: t("web.table.ascending", { head: column.head }) };
      const descending = { value: `-${name}`, label: t("web.table.descending", { head: column.head }) };
      return column.descendingFirst ? [descending, ascending] : [ascending, descending];
    }),
  ];
  if (filters.length === 0 && sortOptions.length === 0 && !children) return null;

  return (
    <>
      <ActionIcon
        variant="default"
        className={classes.filterIcon}
        onClick={open}
        aria-label={active ? t("web.table.activeFilters", { count: active }) : t("web.table.filters")}
        title={active ? t("web.table.activeFilters", { count: active }) : t("web.table.filters")}
      >
        <IconAdjustmentsHorizontal size={18} stroke={1.7} />
        {active > 0 && <span className={classes.filterDot} />}
      </ActionIcon>
      <Drawer
        opened={opened}
        onClose={close}
        position="bottom"
        size="auto"
        styles={{ content: { height: "auto", maxHeight: "85dvh" } }}
        title={t("web.table.filters")}
        radius="lg"
        closeButtonProps={{ "aria-label": t("core.close") }}
      >
        <Stack pb="md">
          {filters.map(({ key, label, options, kind, unset }) => {
            const value = state.filters[key] ?? "";
            const onChange = (next: string) => change({ filters: { [key]: next } });
            if (kind === "day") return <DayFilter key={key} label={label} value={value} onChange={onChange} />;
            if (!options)
              return (
                <Input.Wrapper key={key} label={label} labelElement="div">
                  <SearchBox label={label} value={value} onChange={onChange} />
                </Input.Wrapper>
              );
            return (
              <NativeSelect
                key={key}
                label={label}
                size="md"
                value={value}
                data={[{ value: "", label: unset ?? t("web.table.anyValue") }, ...options]}
                onChange={(event) => onChange(event.currentTarget.value)}
              />
            );
          })}
          {sortOptions.length > 0 && (
            <NativeSelect
              label={t("web.table.sort")}
              size="md"
              value={state.sort}
              data={sortOptions}
              onChange={(event) => change({ sort: event.currentTarget.value })}
            />
          )}
          {children}
          <Group grow>
            <Button size="md" variant="default" onClick={clear}>
              {t("web.table.clearFilters")}
            </Button>
            <Button size="md" onClick={close}>
              {t("web.table.showRows", { count: total ?? 0 })}
            </Button>
          </Group>
        </Stack>
      </Drawer>
    </>
  );
}
