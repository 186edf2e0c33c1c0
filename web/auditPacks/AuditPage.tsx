import { Anchor, Button, Table } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { AuditHead } from "#web/auditPacks/AuditHead.tsx";
import classes from "#web/auditPacks/auditPacks.module.css";
import { SampleForm } from "#web/auditPacks/SampleForm.tsx";
import { SampleView } from "#web/auditPacks/SampleView.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { download } from "#web/core/api/download.ts";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { formatDateTime, formatNumber } from "#web/core/format/format.ts";
import { urlOf } from "#web/core/http/http.ts";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { type Audit, auditPacks } from "#shared/auditPacks/auditPacks.ts";
import { requirementState } from "#shared/requirements/requirements.ts";

/** `/audits/:token` and its samples, without an account: in one file, because every page lists all files. */
export const AuditPage = () => (useParams().no ? <SampleView /> : <FirstView />);

/** What an auditor sees first. */
function FirstView() {
  const { token = "" } = useParams();
  const { data, error } = useQuery(queryFor(auditPacks.open, { params: { token } }));
  if (error && !data) throw error;
  if (data === undefined) return <PageSkeleton />;
  return <AuditHead audit={data}>{data && <Overview audit={data} token={token} />}</AuditHead>;
}

function Overview({ audit, token }: { audit: Audit; token: string }) {
  const { t } = useTranslation();
  const save = () =>
    download(urlOf(auditPacks.download, { params: { token } }), `${audit.number}.zip`).catch((error: unknown) =>
      toast.failed(error),
    );
  const { samples, seed, digest, mayDownload } = audit;
  return (
    <>
      <Section
        title={t("auditPacks.auditor.required")}
        side={<span className={classes.dim}>{t("auditPacks.auditor.people", { count: audit.people })}</span>}
      >
        <WideContent label={t("auditPacks.auditor.required")}>
          <Table highlightOnHover={false}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("auditPacks.auditor.course")}</Table.Th>
                {requirementState.options.map((state) => (
                  <Table.Th key={state} ta="end">
                    {t(`requirements.states.${state}`)}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {audit.courses.map(({ courseId, course, counts }) => (
                <Table.Tr key={courseId}>
                  <Table.Td>{course}</Table.Td>
                  {requirementState.options.map((state) => (
                    <Table.Td key={state} ta="end">
                      {formatNumber(counts[state])}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </WideContent>
      </Section>
      <Section title={t("auditPacks.auditor.samples")}>
        <p className={classes.about}>{t("auditPacks.auditor.samplesText")}</p>
        <p className={classes.dim}>
          {t("auditPacks.auditor.seed")} <code className={classes.sum}>{seed}</code>
        </p>
        <SampleForm audit={audit} token={token} />
        {samples.length === 0 ? (
          <p className={classes.dim}>{t("auditPacks.auditor.noSamples")}</p>
        ) : (
          <ul className={classes.samples}>
            {samples.toReversed().map(({ no, size, population, drawnAt, courseId, state }) => (
              <li key={no}>
                <Anchor component={Link} to={`/audits/${token}/samples/${no}`}>
                  {t("auditPacks.auditor.sample", { no })}
                </Anchor>
                <span className={classes.dim}>
                  {[
                    t("auditPacks.auditor.sampleLine", { count: size, population, time: formatDateTime(drawnAt) }),
                    ...audit.courses.filter((one) => one.courseId === courseId).map(({ course }) => course),
                    ...(state ? [t(`requirements.states.${state}`)] : []),
                  ].join(" · ")}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
      {(mayDownload || digest) && (
        <Section title={t("auditPacks.details.files")}>
          {digest && (
            <p className={classes.dim}>
              {t("auditPacks.details.digest")} <code className={classes.sum}>{digest}</code>
            </p>
          )}
          {mayDownload && (
            <Button leftSection={<IconDownload size={18} stroke={1.7} />} onClick={() => void save()}>
              {t("auditPacks.download")}
            </Button>
          )}
        </Section>
      )}
    </>
  );
}
