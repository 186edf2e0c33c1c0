import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/completionRules/rules.module.css";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { formatDate } from "#web/core/format/format.ts";
import type { StoredRule } from "#shared/completionRules/ruleChanges.ts";
import type { CompletionRule } from "#shared/courses/completionRules.ts";

type Props = { rules: StoredRule[]; onClose: () => void; onChoose: (rule: CompletionRule) => void };

/** The earlier rules of a course; one of them can be tried again. */
export function EarlierRules({ rules, onClose, onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog opened onClose={onClose} title={t("completionRules.earlierTitle")} size={640}>
      <ul className={classes.earlier}>
        {rules.map(({ id, rule, text, at, by }) => (
          <li key={id}>
            <div>
              <p>{text}</p>
              <p className={classes.hint}>
                {t(by ? "completionRules.from" : "completionRules.fromNobody", { date: formatDate(at), name: by })}
              </p>
            </div>
            <Button variant="default" size="compact-sm" onClick={() => onChoose(rule)}>
              {t("completionRules.try")}
              <span className="ly-hidden"> {text}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
