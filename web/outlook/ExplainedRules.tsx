import { Anchor, Button } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import { SearchBox } from "#web/core/filter/SearchBox.tsx";
import { messageOf } from "#web/core/http/messages.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { testText } from "#web/groups/ruleText.ts";
import { testValueText } from "#web/outlook/testValueText.ts";
import classes from "#web/outlook/outlook.module.css";
import type { PersonTest } from "#shared/conditions/conditions.ts";
import { type ExplainedRule, outlooks, type RuleVerdict } from "#shared/outlook/outlook.ts";

const PAGE = 25;
const MAX_SHOWN = 200;
const tones: Record<RuleVerdict, Tone> = {
  gives: "ok",
  waits: "warn",
  withdrawn: "warn",
  exception: "idle",
  existingOnly: "idle",
  archived: "idle",
  unmet: "idle",
};

type Props = { id: string; name: string; company: string };

/** The active rules of a company, with what a person meets of each: why they have its courses, and why not. */
export function ExplainedRules({ id, name, company }: Props) {
  const { t } = useTranslation();
  const [q, setQ] = useState("");
  const [size, setSize] = useState(PAGE);
  const { data, error } = useQuery(pagedQueryFor(outlooks.rules, { params: { id }, query: { q, size } }));
  if (error) return <p role="alert">{messageOf(error)}</p>;
  if (!data) return <SkeletonRows rows={6} />;
  if (data.total === 0 && q === "")
    return <EmptyState title={t("outlook.rules.none")} text={t("outlook.rules.noneText", { company })} />;
  return (
    <>
      <div className={classes.tools}>
        <p>{t("outlook.rules.lead", { name, company })}</p>
        <SearchBox label={t("outlook.rules.search")} value={q} onChange={setQ} />
      </div>
      {data.total === 0 && <EmptyState title={t("outlook.rules.noneFound")} text={t("outlook.rules.noneFoundText")} />}
      <ul className={classes.list}>
        {data.items.map((rule) => (
          <li key={rule.id} className={classes.row}>
            <div>
              <Anchor component={Link} to={`/enrolment-rules/${rule.id}`} className={classes.name}>
                {rule.name}
              </Anchor>
              <p className={classes.facts}>
                <StatusDot tone={tones[rule.verdict]}>{t(`outlook.rules.verdict.${rule.verdict}`)}</StatusDot>
              </p>
              <RuleCourses rule={rule} />
            </div>
            <div>
              <Verdict rule={rule} name={name} />
              <Tests rule={rule} />
            </div>
          </li>
        ))}
      </ul>
      {data.items.length < data.total && size < MAX_SHOWN && (
        <Button variant="subtle" size="sm" onClick={() => setSize(Math.min(MAX_SHOWN, size + 3 * PAGE))}>
          {t("outlook.courses.showMore")}
        </Button>
      )}
    </>
  );
}

function RuleCourses({ rule: { courses, verdict } }: { rule: ExplainedRule }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.given}>
      {courses.map(({ id, title, has }) => (
        <li key={id}>
          {title}, {t(`outlook.rules.has.${has === "has" && verdict === "unmet" ? "hasOtherwise" : has}`)}
        </li>
      ))}
    </ul>
  );
}

function Verdict({ rule: { verdict }, name }: { rule: ExplainedRule; name: string }) {
  const { t } = useTranslation();
  if (verdict === "gives" || verdict === "unmet") return null;
  return <p className={classes.why}>{t(`outlook.rules.why.${verdict}`, { name })}</p>;
}

/** The condition as a list, each test with whether it is met and what is known of the person. */
function Tests({ rule: { condition, names, tests } }: { rule: ExplainedRule }) {
  const { t } = useTranslation();
  if (!condition) return <p className={classes.why}>{t("outlook.rules.everyone")}</p>;
  let at = 0;
  const line = (test: PersonTest) => {
    const found = tests[at++];
    const isMet = found?.isMet ?? false;
    const Icon = isMet ? IconCheck : IconX;
    const value = testValueText(test, found?.value ?? null);
    return (
      <li key={at} className={classes.test} data-met={isMet}>
        <Icon size={18} stroke={2} aria-label={t(isMet ? "outlook.rules.met" : "outlook.rules.unmet")} role="img" />
        <span>
          {testText(test, names)}
          {!isMet && value !== null && <small>{value}</small>}
        </span>
      </li>
    );
  };
  const isOne = condition.tests.length === 1;
  return (
    <div className={classes.tests}>
      {!isOne && <p>{t(`outlook.rules.${condition.match}`)}</p>}
      <ul>
        {condition.tests.map((test, place) =>
          "tests" in test ? (
            <li key={`group ${place}`}>
              {test.tests.length > 1 && <p>{t(`outlook.rules.${test.match}`)}</p>}
              <ul>{test.tests.map(line)}</ul>
            </li>
          ) : (
            line(test)
          ),
        )}
      </ul>
    </div>
  );
}
