import { i18n } from "#web/core/i18n.ts";
import { saveBlob } from "#web/core/api/download.ts";
import { becauseText, listFacts, placeText, riskText, riskTitle, verdictText } from "#web/packageChecks/findingText.ts";
import { ruleText } from "#web/courses/ruleText.ts";
import type { PackageCheck, SeenSignals } from "#shared/courses/packageChecks.ts";
import { proposeRule } from "#shared/courses/packageVerdict.ts";
import type { PackageReading } from "#shared/packages/packageCheck.ts";

type Report = { check: PackageCheck; reading: PackageReading; seen: SeenSignals | undefined; line: string };

/** The check as plain text, for example for the agency that made the package. */
export function reportText({ check, reading, seen, line }: Report): string {
  const { t } = i18n;
  const verdict = verdictText(reading, check);
  const proposal = check.version === null ? null : proposeRule(reading);
  const signals = reading.signals.flatMap((signal) => {
    const comes = t(`packageChecks.comes.${signal.comes}`);
    const came = seen?.signals.find(({ kind }) => kind === signal.kind);
    return [
      `${t(`packageChecks.signals.${signal.kind}`)}: ${comes}. ${becauseText(signal)}`,
      ...signal.places.map((place) => `  ${placeText(place)}`),
      ...(came && seen
        ? [
            `  ${t("packageChecks.signals.seen")}: ${
              came.count > 0
                ? t("packageChecks.seen.of", { count: came.count, sessions: seen.sessions })
                : t("packageChecks.seen.never", { sessions: seen.sessions })
            }${came.differs ? `. ${t("packageChecks.seen.differs")}` : ""}`,
          ]
        : []),
    ];
  });
  const found = reading.risks.flatMap((risk) => [
    `${riskTitle(risk)}. ${riskText(risk)}`,
    ...risk.places.filter(({ file }) => file !== "").map((place) => `  ${placeText(place)}`),
  ]);
  return [
    `${t("packageChecks.title")}: ${check.title}`,
    line,
    "",
    `${verdict.title} ${verdict.text}`,
    "",
    ...listFacts(reading).map(({ label, value, note }) => `${label}: ${value}${note ? ` (${note})` : ""}`),
    "",
    t("packageChecks.signals.title"),
    ...signals,
    "",
    ...(proposal
      ? [
          `${t("packageChecks.proposal.title")}: ${ruleText(proposal.rule, reading.kind)}`,
          t(`packageChecks.why.${proposal.why}`),
          "",
        ]
      : []),
    t("packageChecks.found.title"),
    ...(found.length > 0 ? found : [t("packageChecks.found.nothing")]),
    ...check.warnings,
    "",
  ].join("\n");
}

export function saveReport(report: Report) {
  const name = report.check.fileName.replace(/\.\w{1,5}$/, "").replace(/[^\p{L}\p{N} ._-]/gu, "_");
  saveBlob(
    new Blob([reportText(report)], { type: "text/plain;charset=utf-8" }),
    `${i18n.t("packageChecks.reportFile")} ${name}.txt`,
  );
}
