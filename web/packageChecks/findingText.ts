import { i18n } from "#web/core/i18n.ts";
import { formatBytes, formatNumber } from "#web/core/format/format.ts";
import { judgePackage, type Verdict } from "#shared/courses/packageVerdict.ts";
import type { PackageCheck } from "#shared/courses/packageChecks.ts";
import {
  type FoundAt,
  MAX_PLACES,
  type PackageReading,
  type Risk,
  type Signal,
} from "#shared/packages/packageCheck.ts";
import type { Tone } from "#web/core/display/StatusDot.tsx";

/** Longer lines are generated, so the column is shown too. */
const LONG_LINE = 200;

export function placeText({ file, line, column }: FoundAt): string {
  if (line === null) return file;
  return column !== null && column > LONG_LINE
    ? i18n.t("packageChecks.placeInLine", { file, line, column })
    : i18n.t("packageChecks.place", { file, line });
}

/** `index.html, line 3 and 2 more places` */
export function placesText(places: FoundAt[]): string {
  const [first] = places.filter(({ file }) => file !== "");
  if (!first) return "";
  const more = places.length - 1;
  if (more === 0) return placeText(first);
  const key = places.length < MAX_PLACES ? "morePlaces" : "atLeastMorePlaces";
  return `${placeText(first)} ${i18n.t(`packageChecks.${key}`, { count: more })}`;
}

export const becauseText = ({ because, what }: Signal) => i18n.t(`packageChecks.because.${because}`, { what });

export const riskTitle = ({ code, count }: Risk) =>
  i18n.t(`packageChecks.found.${code}`, { count, number: formatNumber(count) });
export function riskText({ code, names, count }: Risk): string {
  const listed = names.join(", ") + (count > names.length && names.length > 0 ? ", …" : "");
  return i18n.t(`packageChecks.found.${code}Text`, { names: listed });
}

const badRisks = new Set<Risk["code"]>(["missing", "plugins", "mixedContent"]);
const mildRisks = new Set<Risk["code"]>(["closesWindow", "storage", "evaluates", "variables", "wrongCase", "dialogs"]);
export function riskTone({ code }: Risk): Tone {
  if (badRisks.has(code)) return "bad";
  return mildRisks.has(code) ? "idle" : "warn";
}

const verdictTones: Record<Verdict["code"], Tone> = {
  tracks: "ok",
  independent: "ok",
  open: "warn",
  never: "warn",
  silent: "bad",
};

/** The verdict and its consequence, in words. */
export function verdictText(reading: PackageReading, { rule, learners, version }: PackageCheck) {
  const verdict = judgePackage(reading, rule);
  const { t } = i18n;
  const tone = verdictTones[verdict.code];
  const count = learners;
  if (verdict.code === "independent")
    return { tone, title: t("packageChecks.verdict.independent"), text: t("packageChecks.verdict.independentText") };
  if (verdict.code === "tracks")
    return { tone, title: t("packageChecks.verdict.tracks"), text: t("packageChecks.verdict.tracksText", { count }) };
  if (verdict.code === "open")
    return { tone, title: t("packageChecks.verdict.open"), text: t("packageChecks.verdict.openText", { count }) };
  const title =
    verdict.code === "silent"
      ? t("packageChecks.verdict.silent")
      : t(`packageChecks.verdict.never.${verdict.missing ?? "completed"}`);
  return {
    tone,
    title,
    text: [
      t("packageChecks.verdict.stuck", { count }),
      ...(version === null ? [] : [t("packageChecks.verdict.take")]),
    ].join(" "),
  };
}

const languageNames = () => new Intl.DisplayNames(i18n.language, { type: "language", fallback: "code" });
function languageName(tag: string) {
  try {
    return languageNames().of(tag) ?? tag;
  } catch {
    return tag;
  }
}

const phoneKeys = { yes: "phoneYes", no: "phoneNo" } as const;

/** The facts about a package: label, value and note. */
export function listFacts(reading: PackageReading) {
  const { t } = i18n;
  const { tool, units, slides, pages, videos, sounds, languages, isForPhones } = reading;
  const made = tool && `${tool.name}${tool.version ? ` ${tool.version}` : ""}`;
  const phone = isForPhones === null ? "phoneUnknown" : phoneKeys[isForPhones ? "yes" : "no"];
  const counted = (key: "pages" | "videos" | "sounds", count: number) =>
    count > 0 ? [t(`packageChecks.facts.${key}`, { count })] : [];
  const unitText = t("packageChecks.facts.units", { count: units });
  return [
    {
      label: t("packageChecks.facts.kind"),
      value: t(`courses.kinds.${reading.kind}`),
      note: made
        ? t(tool.isCertain ? "packageChecks.facts.tool" : "packageChecks.facts.toolLikely", { tool: made })
        : t("packageChecks.facts.noTool"),
    },
    {
      label: t("packageChecks.facts.contents"),
      value: slides === null ? unitText : t("packageChecks.facts.slides", { count: slides }),
      note: [
        ...(slides === null ? counted("pages", pages) : [unitText]),
        ...counted("videos", videos),
        ...counted("sounds", sounds),
      ].join(", "),
    },
    {
      label: t("packageChecks.facts.languages"),
      value: languages.length > 0 ? formatNumber(languages.length) : "–",
      note: languages.length > 0 ? languages.map(languageName).join(", ") : t("packageChecks.facts.noLanguage"),
    },
    {
      label: t("packageChecks.facts.phone"),
      value: t(`packageChecks.facts.${phone}`),
      note: t(`packageChecks.facts.${phone}Text`),
    },
    {
      label: t("packageChecks.facts.files"),
      value: formatNumber(reading.files),
      note: t("packageChecks.facts.firstPage", { size: formatBytes(reading.firstBytes) }),
    },
  ];
}
