import { useTranslation } from "react-i18next";
import { formatNumber } from "#web/core/format/format.ts";
import { dueText } from "#web/courses/dueText.ts";
import classes from "#web/enrolmentRules/enrolmentRules.module.css";
import type { Preview, PreviewPart, RuleInput } from "#shared/enrolmentRules/enrolmentRules.ts";

type Props = {
  preview: Preview;
  people: RuleInput["people"];
  onShow: (part: PreviewPart) => void;
};

/** The ledger of a preview: numbers that open their people, the first names, courses, and other rules. */
export function PreviewCounts({ preview, people, onShow }: Props) {
  const { t } = useTranslation();
  const counts: [PreviewPart, string][] = [
    ["meet", t("enrolmentRules.preview.meet")],
    ["has", t("enrolmentRules.preview.has")],
    ["withdrawn", t("enrolmentRules.preview.withdrawn")],
    ["fresh", t("enrolmentRules.preview.fresh")],
    ...(preview.leaves > 0 ? [["leaves", t("enrolmentRules.preview.leaves")] as [PreviewPart, string]] : []),
  ];
  const named = preview.names.join(", ");
  const more = preview.fresh - preview.names.length;
  return (
    <>
      <div className={classes.counts}>
        {counts.map(([part, label]) =>
          preview[part as "meet"] > 0 ? (
            <button key={part} type="button" className={classes.count} onClick={() => onShow(part)}>
              <strong>{formatNumber(preview[part as "meet"])}</strong>
              <span>{label}</span>
            </button>
          ) : (
            <div key={part} className={classes.count}>
              <strong>0</strong>
              <span>{label}</span>
            </div>
          ),
        )}
      </div>
      <p>
        {preview.fresh === 0 &&
          t(people === "future" ? "enrolmentRules.preview.nobodyLater" : "enrolmentRules.preview.nobody")}
        {preview.fresh > 0 && (more > 0 ? t("enrolmentRules.preview.more", { names: named, count: more }) : named)}
      </p>
      {(preview.courses.length > 1 || preview.courses.some(({ status }) => status === "archived")) &&
        preview.courses.map((course) => (
          <p key={course.id} className={classes.dim}>
            {course.status === "archived"
              ? t("enrolmentRules.preview.archived", course)
              : t(
                  course.withdrawn > 0 ? "enrolmentRules.preview.ofCourseWithdrawn" : "enrolmentRules.preview.ofCourse",
                  course,
                )}
          </p>
        ))}
      {preview.conflicts.map(({ ruleId, rule: name, course, people: count, earlier, due }) => {
        const other = earlier === 0 ? "conflictLater" : "conflictMixed";
        const kind = earlier === count ? "conflictEarlier" : other;
        return (
          <p key={`${ruleId} ${course}`} className={classes.warn}>
            {t(`enrolmentRules.preview.${kind}`, { rule: name, course, count, due: dueText(due) })}
          </p>
        );
      })}
    </>
  );
}
