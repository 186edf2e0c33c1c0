import { Button, Menu, SegmentedControl } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { type DraftRule, type DraftSet, newSet, newTest, offeredKinds } from "#web/completionRules/draftRule.ts";
import { type Choices, RuleTest } from "#web/completionRules/RuleTest.tsx";
import classes from "#web/completionRules/rules.module.css";
import { MAX_TESTS } from "#shared/conditions/conditions.ts";
import type { CompletionKind } from "#shared/courses/completionRules.ts";

const matches = ["all", "any"] as const;
const MAX_SETS = 5;

type Props = {
  draft: DraftRule;
  choices: Choices;
  /** How many learners meet each condition, in order, of how many; null while they are counted. */
  met: { counts: number[]; of: number } | null;
  onChange: (draft: DraftRule) => void;
};

/** The conditions of a completion rule: one set, or several joined by “and” or “or”. */
export function RuleSets({ draft, choices, met, onChange }: Props) {
  const { t } = useTranslation();
  const count = draft.sets.reduce((sum, { tests }) => sum + tests.length, 0);
  const isFull = count >= MAX_TESTS;
  const setAt = (at: number, set: DraftSet) => onChange({ ...draft, sets: draft.sets.with(at, set) });
  const removeAt = (at: number) => onChange({ ...draft, sets: draft.sets.toSpliced(at, 1) });
  const other = draft.match === "all" ? "any" : "all";
  let number = 0;
  return (
    <div className={classes.sets}>
      {draft.sets.map((set, at) => (
        <Fragment key={set.id}>
          {at > 0 && (
            <div className={classes.joint}>
              <SegmentedControl
                size="xs"
                aria-label={t("completionRules.joint")}
                value={draft.match}
                data={matches.map((value) => ({ value, label: t(`completionRules.joints.${value}`) }))}
                onChange={(match) => onChange({ ...draft, match: match as "all" | "any" })}
              />
            </div>
          )}
          <fieldset className={classes.set}>
            <legend className="ly-hidden">{t("completionRules.set", { number: at + 1 })}</legend>
            <div className={classes.setHead}>
              {set.tests.length > 1 ? (
                <SegmentedControl
                  size="sm"
                  aria-label={t("conditions.match")}
                  value={set.match}
                  data={matches.map((value) => ({ value, label: t(`conditions.matches.${value}`) }))}
                  onChange={(match) => setAt(at, { ...set, match: match as "all" | "any" })}
                />
              ) : (
                <strong>{t("completionRules.one")}</strong>
              )}
              <span className={classes.note}>{t("completionRules.conditions", { count: set.tests.length })}</span>
            </div>
            {set.tests.map((test, place) => {
              const index = number++;
              return (
                <RuleTest
                  key={test.id}
                  test={test}
                  number={index + 1}
                  choices={choices}
                  met={met && { count: met.counts[index] ?? 0, of: met.of }}
                  onChange={(next) => setAt(at, { ...set, tests: set.tests.with(place, next) })}
                  onRemove={
                    count === 1
                      ? undefined
                      : () =>
                          set.tests.length === 1
                            ? removeAt(at)
                            : setAt(at, { ...set, tests: set.tests.toSpliced(place, 1) })
                  }
                />
              );
            })}
            <AddTest
              choices={choices}
              label={t("conditions.add")}
              isFull={isFull}
              onAdd={(kind) => setAt(at, { ...set, tests: [...set.tests, newDraftTest(kind, choices)] })}
            />
          </fieldset>
        </Fragment>
      ))}
      {draft.sets.length < MAX_SETS && count > 0 && (
        <AddTest
          choices={choices}
          label={t(draft.sets.length > 1 ? "completionRules.addSet" : "completionRules.addAlternative")}
          isFull={isFull}
          onAdd={(kind) =>
            onChange({
              match: draft.sets.length > 1 ? draft.match : "any",
              sets: [...draft.sets, newSet(other, [newDraftTest(kind, choices)])],
            })
          }
        />
      )}
    </div>
  );
}

const newDraftTest = (kind: CompletionKind, { parts }: Choices) =>
  newTest(kind, kind === "part" || kind === "partScore" ? (parts.find(({ isLive }) => isLive)?.sco ?? "") : "");

type AddProps = { choices: Choices; label: string; isFull: boolean; onAdd: (kind: CompletionKind) => void };

function AddTest({ choices, label, isFull, onAdd }: AddProps) {
  const { t } = useTranslation();
  const kinds = offeredKinds(choices.kind, {
    parts: choices.parts.length > 0,
    variables: choices.variables.length > 0,
  });
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <Button
          className={classes.add}
          variant="subtle"
          size="compact-sm"
          disabled={isFull}
          leftSection={<IconPlus size={16} stroke={1.8} />}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map((kind) => (
          <Menu.Item key={kind} onClick={() => onAdd(kind)}>
            {t(`completionRules.kinds.${kind}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
