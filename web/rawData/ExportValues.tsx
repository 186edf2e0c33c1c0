import { Button, Menu } from "@mantine/core";
import { IconBraces, IconDownload, IconFileTypeCsv, IconFileTypeXls } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { download } from "#web/core/api/download.ts";
import { urlOf } from "#web/core/http/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/rawData/ExportValues.module.css";
import { rawData, type ValueFormat, valueFormat } from "#shared/rawData/rawData.ts";

const icons = { csv: IconFileTypeCsv, xlsx: IconFileTypeXls, jsonl: IconBraces };

/** Exports all values that match the filter of Raw Data, in a chosen format, optionally without names. */
export function ExportValues({ filter }: { filter: Record<string, string> }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [hidesNames, setHidesNames] = useState(false);
  const [busy, setBusy] = useState(false);
  const [percent, setPercent] = useState<number | null>(null);
  const { data } = useQuery({ ...queryFor(rawData.list, { query: { ...filter, size: 1, page: 1 } }), enabled: isOpen });
  const run = async (format: ValueFormat) => {
    setBusy(true);
    const query = { ...filter, format, pseudonyms: hidesNames ? "yes" : "no" } as const;
    // A workbook is compressed, so the number of received rows is unknown.
    const onProgress = format === "xlsx" ? undefined : setPercent;
    await download(urlOf(rawData.export, { query }), `values.${format}`, onProgress)
      .then((count) => toast.done(t("rawData.export.done", { count })))
      .catch((error: unknown) => toast.failed(error))
      .finally(() => {
        setBusy(false);
        setPercent(null);
      });
  };
  return (
    <Menu position="bottom-end" width={296} opened={isOpen} onChange={setOpen} disabled={busy}>
      <Menu.Target>
        <Button
          variant="default"
          className={classes.button}
          loading={busy && percent === null}
          aria-disabled={busy}
          leftSection={<IconDownload size={18} stroke={1.6} />}
        >
          {percent === null ? t("rawData.export.action") : `${percent}%`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {data && t(data.isMore ? "rawData.export.ofMore" : "rawData.export.of", { count: data.total })}
          {!data && t("rawData.export.counting")}
        </Menu.Label>
        {valueFormat.options.map((format) => {
          const Icon = icons[format];
          return (
            <Menu.Item
              key={format}
              disabled={data?.total === 0}
              leftSection={<Icon size={18} stroke={1.6} />}
              onClick={() => void run(format)}
            >
              {t(`rawData.export.${format}`)}
            </Menu.Item>
          );
        })}
        <Menu.Divider />
        <Menu.CheckboxItem
          classNames={{ item: classes.option, itemIndicator: classes.box }}
          checked={hidesNames}
          closeMenuOnClick={false}
          onChange={setHidesNames}
        >
          {t("rawData.export.hideNames")}
          <span className={classes.hint}>{t("rawData.export.hideNamesHint")}</span>
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );
}
