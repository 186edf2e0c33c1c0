import { NativeSelect, Table } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { Num } from "#web/core/display/Num.tsx";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { formatDuration, formatNumber } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { BlockPeople } from "#web/reports/blocks/BlockPeople.tsx";
import classes from "#web/reports/course/Questions.module.css";
import own from "#web/reports/blocks/lessons.module.css";
import { type BlockFigures, blockGroup, blockGroups } from "#shared/reports/blockFigures.ts";
import { reports } from "#shared/reports/reports.ts";
import type { ReportParams } from "#web/reports/figures/useReportLink.ts";

type Props = { id: string; query: Pick<ReportParams, "asOf" | "zone" | "companyId" | "groupId"> };

/** The blocks of a lesson as authors wrote them, each with who came there and who stopped. Nothing without lessons. */
export function LessonSection({ id, query: { asOf, zone, companyId, groupId } }: Props) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const [lesson, version] = [params.get("lesson"), params.get("version")];
  const query = {
    ...(asOf && { asOf }),
    ...(zone && { zone }),
    ...(companyId && { companyId }),
    ...(groupId && { groupId }),
    ...(lesson && { lesson }),
    ...(version && { version: Number(version) }),
  };
  const options = queryFor(reports.lessonBlocks, { params: { id }, query });
  const { data } = useQuery({ ...options, placeholderData: keepPreviousData });
  if (!data || data.lesson === null) return null;
  const change = (changes: Record<string, string | null>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes))
          if (value) after.set(name, value);
          else after.delete(name);
        return after;
      },
      { preventScrollReset: true },
    );
  const linkTo = (block: string, group: string) => {
    const next = new URLSearchParams(params);
    next.set("block", block);
    next.set("blockPeople", group);
    return `?${next}`;
  };
  const nameOf = ({ about }: BlockFigures) => about || t("reports.report.blocks.noText");
  const group = blockGroup.safeParse(params.get("blockPeople")).data;
  const chosen = group && data.blocks.find((block) => block.id === params.get("block"));
  const closed = { block: null, blockPeople: null };
  return (
    <Section title={t("reports.report.blocks.title")} side={t("reports.report.blocks.side")}>
      <div className={own.choices}>
        <NativeSelect
          label={t("reports.report.blocks.lesson")}
          value={data.lesson}
          data={data.lessons.map(({ sco, title }) => ({ value: sco, label: title }))}
          onChange={(event) => change({ ...closed, lesson: event.currentTarget.value })}
        />
        <NativeSelect
          label={t("reports.report.blocks.version")}
          value={version ?? ""}
          data={[
            { value: "", label: t("reports.report.blocks.allVersions") },
            ...data.versions.map((number) => ({
              value: String(number),
              label: t("reports.report.blocks.versionOf", { number }),
            })),
          ]}
          onChange={(event) => change({ ...closed, version: event.currentTarget.value })}
        />
      </div>
      {data.learners === 0 ? (
        <p>{t("reports.report.blocks.none")}</p>
      ) : (
        <WideContent label={t("reports.report.blocks.title")}>
          <Table className={classes.questions} highlightOnHover={false}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("reports.report.blocks.block")}</Table.Th>
                <Table.Th ta="right">{t("reports.report.blocks.groups.reached")}</Table.Th>
                <Table.Th ta="right" data-wide>
                  {t("reports.report.blocks.median")}
                </Table.Th>
                <Table.Th ta="right">{t("reports.report.blocks.groups.stopped")}</Table.Th>
                <Table.Th ta="right">{t("reports.report.blocks.unclear")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.blocks.map((row) => (
                <Table.Tr key={row.id}>
                  <Table.Td className={own.block}>{nameOf(row)}</Table.Td>
                  {blockGroups.map((name) => [
                    <Table.Td key={name} ta="right" className={classes.figure}>
                      {row[name] > 0 ? (
                        <Link
                          to={linkTo(row.id, name)}
                          preventScrollReset
                          aria-label={`${formatNumber(row[name])}: ${t("reports.report.blocks.show", {
                            group: t(`reports.report.blocks.groups.${name}`),
                            block: nameOf(row),
                          })}`}
                        >
                          <Num value={row[name]} />
                        </Link>
                      ) : (
                        <Num value={0} />
                      )}
                    </Table.Td>,
                    name === "reached" && (
                      <Table.Td key="median" ta="right" data-wide>
                        {row.medianSeconds === null ? "–" : formatDuration(row.medianSeconds)}
                      </Table.Td>
                    ),
                  ])}
                  <Table.Td ta="right" className={classes.figure}>
                    {row.unclear > 0 ? (
                      <Link
                        to={`/courses/${id}/unclear`}
                        aria-label={`${formatNumber(row.unclear)}: ${t("reports.report.blocks.show", {
                          group: t("reports.report.blocks.unclear"),
                          block: nameOf(row),
                        })}`}
                      >
                        <Num value={row.unclear} />
                      </Link>
                    ) : (
                      <Num value={0} />
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </WideContent>
      )}
      {chosen && group && (
        <BlockPeople
          key={`${chosen.id} ${group}`}
          id={id}
          query={{ ...query, lesson: data.lesson, block: chosen.id, group }}
          title={nameOf(chosen)}
          onClose={() => change(closed)}
        />
      )}
    </Section>
  );
}
