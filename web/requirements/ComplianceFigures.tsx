import { useTranslation } from "react-i18next";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { formatNumber, formatPercent } from "#web/core/format/format.ts";
import { type RequirementList, type RequirementState, requirementState } from "#shared/requirements/requirements.ts";
import { shareValid } from "#shared/requirements/requirementShare.ts";

type Props = { list: RequirementList; /** The day of the list, if it is not today. */ asOf?: string };

/** The key figures over all requirements of a company. Those that need action link to the people they count. */
export function ComplianceFigures({ list, asOf }: Props) {
  const { t } = useTranslation();
  const linkTo = (state: string) => `?${new URLSearchParams({ state, ...(asOf && { asOf }) }).toString()}`;
  const count = (state: RequirementState) => list.items.reduce((sum, { counts }) => sum + counts[state], 0);
  const all = requirementState.options.reduce((sum, state) => sum + count(state), 0);
  const valid = count("valid") + count("ending");
  const lapsed = count("expired") + count("overdue");
  const share = shareValid(list.items.map(({ counts }) => counts));
  return (
    <StatTiles>
      <StatTile
        label={t("requirements.figures.all")}
        value={formatNumber(all)}
        note={t("requirements.figures.all_note", {
          people: t("requirements.figures.people", { count: list.people }),
          courses: t("requirements.figures.courses", { count: list.total }),
        })}
        definition={t("requirements.figures.allHow")}
      />
      <StatTile
        label={t("requirements.figures.valid")}
        value={share === null ? "–" : formatPercent(share)}
        note={t("requirements.figures.validNote", { count: valid, all: formatNumber(all - count("exempt")) })}
        definition={t("requirements.figures.validHow")}
      />
      <StatTile
        label={t("requirements.figures.ending")}
        value={formatNumber(count("ending"))}
        note={t("requirements.figures.endingNote", { count: list.startedAgain })}
        to={linkTo("ending")}
        definition={t("requirements.figures.endingHow")}
      />
      <StatTile
        label={t("requirements.figures.missing")}
        value={formatNumber(count("missing"))}
        note={t("requirements.figures.missingNote")}
        to={linkTo("missing")}
        definition={t("requirements.figures.missingHow")}
      />
      <StatTile
        label={t("requirements.figures.lapsed")}
        value={formatNumber(lapsed)}
        note={t("requirements.figures.lapsedNote", { count: list.lapsedPeople })}
        to={linkTo("lapsed")}
        bad={lapsed > 0}
        definition={t("requirements.figures.lapsedHow")}
      />
    </StatTiles>
  );
}
