import { Button, Group, NumberInput, SegmentedControl, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queriesOf, useApiMutation } from "#web/core/api/api.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { isCode } from "#web/core/http/http.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/measures/MeasuresForm.module.css";
import { type MeasuredKind, measuredKinds, SMALLEST_GROUP } from "#shared/core/measuredKinds.ts";
import { CAREFUL, canReplayWith, type Choices, type Measured, measures, type Who } from "#shared/measures/measures.ts";

/** Edits who sees what. If another admin saves meanwhile, the choices stay and are compared with the saved version. */
export function MeasuresForm({ companyId, measured }: { companyId: string; measured: Measured }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Partial<Choices>>({});
  const [reason, setReason] = useState("");
  /** The version that the choices are compared with; a later one is first shown. */
  const [basis, setBasis] = useState(measured.version);
  const [failure, setFailure] = useState<unknown>(null);
  const client = useQueryClient();
  const update = useApiMutation(measures.update, { quiet: true });
  const choices = { ...measured.choices, ...chosen };
  const next = measured.version + 1;
  const { least, most } = SMALLEST_GROUP;
  const isGroupGood = Number.isInteger(choices.smallestGroup) && choices.smallestGroup >= least;
  const changes = changesOf(measured.choices, choices);

  const choose = (values: Partial<Choices>) => {
    const all = { ...choices, ...values };
    setChosen({ ...chosen, ...values, ...(!canReplayWith(all) && { replay: "nobody" }) });
  };
  const save = async () => {
    setFailure(null);
    try {
      const saved = await update.mutateAsync({
        params: { id: companyId },
        body: { choices, reason, version: basis },
      });
      setChosen({});
      setReason("");
      setBasis(saved.version);
      toast.done(t("measures.saved", { version: saved.version }));
    } catch (error) {
      setFailure(error);
      if (!isCode(error, "core.conflict")) return;
      setBasis((error.details.current as Measured).version);
      await client.invalidateQueries(queriesOf(measures.get));
    }
  };
  const describe = (kind: MeasuredKind) =>
    t(choices[kind] === "nobody" ? "measures.preview.hide" : "measures.preview.show", {
      what: t(`measures.kinds.${kind}.name`),
    });
  return (
    <>
      <div className={classes.kinds}>
        {measuredKinds.map((kind) => {
          const isFixed = kind === "replay" && !canReplayWith(choices);
          return (
            <div key={kind} className={classes.kind}>
              <div>
                <div className={classes.name} id={`measured-${kind}`}>
                  {t(`measures.kinds.${kind}.name`)}
                </div>
                <Text size="sm" c="dimmed">
                  {isFixed ? t("measures.replayShowsAll") : t(`measures.kinds.${kind}.about`)}
                </Text>
              </div>
              <SegmentedControl
                aria-labelledby={`measured-${kind}`}
                disabled={isFixed}
                value={choices[kind]}
                onChange={(value) => choose({ [kind]: value as Who })}
                data={(["admins", "nobody"] as const).map((who) => ({ value: who, label: t(`measures.who.${who}`) }))}
              />
            </div>
          );
        })}
      </div>
      <Text size="sm" c="dimmed" mt="sm">
        {t("measures.managersNever")}
      </Text>
      <div className={classes.fields}>
        <Group gap="sm">
          <Button variant="default" onClick={() => choose(CAREFUL)}>
            {t("measures.careful")}
          </Button>
          <Text size="sm" c="dimmed">
            {t("measures.carefulHint")}
          </Text>
        </Group>
        <NumberInput
          label={t("measures.smallest")}
          description={t("measures.smallestHint", { least, most })}
          error={isGroupGood ? null : t("measures.smallestBad", { least, most })}
          min={least}
          max={most}
          clampBehavior="strict"
          allowDecimal={false}
          value={choices.smallestGroup}
          onChange={(value) => choose({ smallestGroup: Number(value) })}
        />
        {changes.length > 0 && (
          <>
            <TextInput
              className={classes.wide}
              label={<OptionalLabel>{t("measures.reason")}</OptionalLabel>}
              description={t("measures.reasonHint")}
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <div className={classes.preview} role="status">
              <Text size="sm" c="dimmed">
                {t("measures.preview.title")}
              </Text>
              <ul>
                {changes.map((key) => (
                  <li key={key}>
                    {key === "smallestGroup"
                      ? t("measures.preview.group", {
                          before: measured.choices.smallestGroup,
                          after: choices.smallestGroup,
                        })
                      : describe(key)}
                  </li>
                ))}
                <li>{t("measures.preview.told")}</li>
              </ul>
            </div>
          </>
        )}
        {failure !== null && (
          <Text role="alert" c="var(--ly-bad)" size="sm">
            {isCode(failure, "core.conflict") ? (
              <Conflict current={failure.details.current as Measured} />
            ) : (
              messageOf(failure)
            )}
          </Text>
        )}
        <Group gap="xs">
          <Button
            disabled={changes.length === 0 || !isGroupGood}
            loading={update.isPending}
            onClick={() => void save()}
          >
            {t("measures.save", { version: next })}
          </Button>
          {changes.length > 0 && (
            <Button variant="subtle" onClick={() => setChosen({})}>
              {t("companies.discard")}
            </Button>
          )}
        </Group>
      </div>
    </>
  );
}

function Conflict({ current: { by, version } }: { current: Measured }) {
  const { t } = useTranslation();
  return by ? t("measures.conflict", { name: by, version }) : t("measures.conflictUnknown", { version });
}

const changesOf = (before: Choices, after: Choices) =>
  [...measuredKinds, "smallestGroup" as const].filter((key) => before[key] !== after[key]);
