import { NumberInput, Select } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { useTranslation } from "react-i18next";
import { changeBlock } from "#web/lessons/author/editing/blockCommands.ts";
import { leadTo } from "#web/lessons/author/scenario/changes.ts";
import classes from "#web/lessons/author/scenario/scenario.module.css";
import { type Step, targetsOf, textOf } from "#web/lessons/author/scenario/steps.ts";
import { MAX_POINTS } from "#shared/lessons/scenarios.ts";

type Props = { editor: Editor; option: Node; steps: Step[]; placeOf: () => number | null };

/** Where a choice leads, and its points. */
export function OptionFields({ editor, option, steps, placeOf }: Props) {
  const { t } = useTranslation();
  const choice = textOf(option) || "…";
  const target = steps.find(({ key }) => key === option.attrs["to"]);
  const change = (run: (pos: number) => void) => {
    const pos = placeOf();
    if (pos !== null) run(pos);
  };
  return (
    <>
      <Select
        className={classes.target}
        data-loose={target ? undefined : true}
        size="xs"
        aria-label={t("scenarioDrafts.leadsTo", { choice })}
        placeholder={t("scenarioDrafts.chooseTarget")}
        leftSection={<IconArrowRight size={15} stroke={1.8} className={classes.arrow} />}
        data={targetsOf(steps)}
        value={target?.key ?? null}
        onChange={(to) => change((pos) => leadTo(editor, pos, to))}
        searchable
      />
      <NumberInput
        className={classes.optionPoints}
        size="xs"
        aria-label={t("scenarioDrafts.pointsOf", { choice })}
        suffix={` ${t("scenarioDrafts.pts")}`}
        allowDecimal={false}
        hideControls
        min={-MAX_POINTS}
        max={MAX_POINTS}
        value={Number(option.attrs["points"])}
        onChange={(points) => change((pos) => changeBlock(editor, pos, { points: Number(points) || 0 }))}
      />
    </>
  );
}
