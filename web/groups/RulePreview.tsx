import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { messageOf } from "#web/core/http/messages.ts";
import classes from "#web/groups/groups.module.css";
import { type RuleNames, testText } from "#web/groups/ruleText.ts";
import type { PersonCondition } from "#shared/conditions/conditions.ts";
import { findContradiction } from "#shared/conditions/neverTrue.ts";
import { groups, type Preview } from "#shared/groups/groups.ts";

const WAIT_MS = 300;
type Props = {
  companyId: string;
  groupId?: string | undefined;
  /** Null while it is unfinished, or without a rule. */
  rule: PersonCondition | null;
  isByHand: boolean;
  names: RuleNames;
};

/** Who would belong to the group, join and leave, while the rule is edited. Nothing is stored. */
export function RulePreview({ companyId, groupId, rule, isByHand, names }: Props) {
  const { t } = useTranslation();
  const [asked] = useDebouncedValue(rule, WAIT_MS);
  const isAsked = isByHand || rule !== null;
  const contradiction = rule && findContradiction(rule);
  const { data, error } = useQuery({
    ...pagedQueryFor(groups.preview, {
      body: { companyId, rule: isByHand ? null : asked, ...(groupId && { id: groupId }) },
    }),
    enabled: isByHand || (asked !== null && findContradiction(asked) === null),
    retry: false,
  });
  if (contradiction) {
    const [first, second] = contradiction.map((test) => testText(test, names));
    return (
      <div className={classes.preview} data-bad role="alert">
        <p>
          {first === second ? t("conditions.neverTrueAlone", { first }) : t("conditions.neverTrue", { first, second })}
        </p>
      </div>
    );
  }
  if (error && isAsked)
    return (
      <div className={classes.preview} data-bad role="alert">
        <p>{messageOf(error)}</p>
      </div>
    );
  return (
    <div className={classes.preview} aria-live="polite">
      {!isAsked && <p>{t("groups.preview.unfinished")}</p>}
      {isAsked && !data && <p>{t("groups.preview.counting")}</p>}
      {isAsked && data && <Counted preview={data} isNew={!groupId} />}
    </div>
  );
}

function Counted({ preview: { members, joins, leaves }, isNew }: { preview: Preview; isNew: boolean }) {
  const { t } = useTranslation();
  const namesOf = ({ count, names }: Preview["members"]) =>
    count > names.length
      ? t("groups.preview.more", { names: names.join(", "), count: count - names.length })
      : names.join(", ");
  const change = (text: string, people: Preview["members"]) =>
    people.count > 0 && (
      <p>
        <span className={classes.change}>{text}:</span> {namesOf(people)}
      </p>
    );
  return (
    <>
      <h3>{t("groups.preview.people", { count: members.count })}</h3>
      {members.count === 0 && <p>{t("groups.preview.nobody")}</p>}
      {isNew ? (
        members.count > 0 && <p>{namesOf(members)}</p>
      ) : (
        <>
          {change(t("groups.preview.joins", { count: joins.count }), joins)}
          {change(t("groups.preview.leaves", { count: leaves.count }), leaves)}
          {joins.count + leaves.count === 0 && <p>{t("groups.preview.same")}</p>}
        </>
      )}
    </>
  );
}
