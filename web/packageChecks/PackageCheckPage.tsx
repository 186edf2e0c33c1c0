import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconDownload, IconRefresh } from "@tabler/icons-react";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { AlsoFound, ProposedRule } from "#web/packageChecks/CheckAside.tsx";
import classes from "#web/packageChecks/packageChecks.module.css";
import { listFacts, verdictText } from "#web/packageChecks/findingText.ts";
import { saveReport } from "#web/packageChecks/reportFile.ts";
import { SignalTable } from "#web/packageChecks/SignalTable.tsx";
import { isSameRule } from "#web/completionRules/draftRule.ts";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { formatBytes } from "#web/core/format/format.ts";
import { useTimes } from "#web/core/format/TimeZone.tsx";
import { i18n } from "#web/core/i18n.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { TwoColumns } from "#web/core/layout/TwoColumns.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { type PackageCheck, packageChecks } from "#shared/courses/packageChecks.ts";
import { proposeRule } from "#shared/courses/packageVerdict.ts";
import type { PackageReading } from "#shared/packages/packageCheck.ts";

/** `/courses/:id/packages/:packageId/check`: what a package will report, which rule fits, and what is broken. */
export function PackageCheckPage() {
  const { t } = useTranslation();
  const times = useTimes();
  const { id = "", packageId = "" } = useParams();
  const params = { id, packageId };
  const { data } = useSuspenseQuery(queryFor(packageChecks.get, { params }));
  const { data: seen } = useQuery(queryFor(packageChecks.seen, { params }));
  const again = useApiMutation(packageChecks.again);
  const { check } = data;
  const named = { file: data.fileName, size: formatBytes(data.bytes) };
  const line = check ? readLine(check, named, times.dateTime) : t("packageChecks.lineUnread", named);
  const proposal = check && data.version !== null ? proposeRule(check.reading) : null;
  return (
    <>
      <PageHead
        title={t("packageChecks.title")}
        parent={{ to: `/courses/${id}`, label: data.course.title }}
        line={line}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconRefresh size={18} stroke={1.7} />}
              loading={again.isPending}
              onClick={() => again.mutate({ params }, { onSuccess: () => toast.done(t("packageChecks.checked")) })}
            >
              {t("packageChecks.again")}
            </Button>
            {check && (
              <Button
                variant="default"
                leftSection={<IconDownload size={18} stroke={1.7} />}
                onClick={() => saveReport({ check: data, reading: check.reading, seen, line })}
              >
                {t("packageChecks.report")}
              </Button>
            )}
            {proposal && !isSameRule(proposal.rule, data.rule) && (
              <Button component={Link} to={`/courses/${id}/completion`} state={{ proposed: proposal.rule }}>
                {t("packageChecks.useProposed")}
              </Button>
            )}
          </>
        }
      />
      {check ? (
        <>
          <VerdictLine check={data} reading={check.reading} />
          <StatTiles>
            {listFacts(check.reading).map((fact) => (
              <StatTile key={fact.label} {...fact} />
            ))}
          </StatTiles>
          <TwoColumns
            aside={
              <>
                {proposal ? (
                  <ProposedRule check={data} reading={check.reading} proposal={proposal} />
                ) : (
                  <p className={classes.dim}>{t("packageChecks.proposal.mixed")}</p>
                )}
                <AlsoFound reading={check.reading} warnings={data.warnings} />
              </>
            }
          >
            <SignalTable reading={check.reading} rule={data.rule} number={check.number} seen={seen} />
          </TwoColumns>
        </>
      ) : (
        <div className={classes.verdict} data-tone="bad">
          <IconCircleX size={20} stroke={1.7} aria-hidden />
          <p>
            <strong>{data.isUnreadable ? t("packageChecks.unreadable") : t("packageChecks.noFiles")}</strong>{" "}
            {data.isUnreadable ? t("packageChecks.unreadableText") : t("packageChecks.noFilesText")}
          </p>
        </div>
      )}
    </>
  );
}

type Read = NonNullable<PackageCheck["check"]>;
/** When the files were read and, from half a second, how long that took. */
function readLine({ checkedAt, tookMs }: Read, named: { file: string; size: string }, format: (at: string) => string) {
  const read = { ...named, when: format(checkedAt) };
  const seconds = Math.round(tookMs / 1000);
  return seconds > 0 ? i18n.t("packageChecks.line", { ...read, seconds }) : i18n.t("packageChecks.lineAtOnce", read);
}

function VerdictLine({ check, reading }: { check: PackageCheck; reading: PackageReading }) {
  const { tone, title, text } = verdictText(reading, check);
  const icons = { ok: IconCircleCheck, bad: IconCircleX } as const;
  const Icon = icons[tone as keyof typeof icons] ?? IconAlertTriangle;
  return (
    <div className={classes.verdict} data-tone={tone}>
      <Icon size={20} stroke={1.7} aria-hidden />
      <p>
        <strong>{title}</strong> {text}
      </p>
    </div>
  );
}
