import { Anchor, Button, Group, SegmentedControl, Switch } from "@mantine/core";
import { IconFileTypePdf } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/certificates/design/design.module.css";
import { type Subject, useDesignCalls } from "#web/certificates/design/designCalls.ts";
import { DesignFields } from "#web/certificates/design/DesignFields.tsx";
import { Preview, type Shown, useLayout } from "#web/certificates/design/Preview.tsx";
import { confirm } from "#web/core/dialog/confirm.ts";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import type { Design } from "#shared/certificates/certificates.ts";
import { type DesignContent, fieldsOf, MAX_MONTHS } from "#shared/certificates/designs.ts";

type Props = { subject: Subject; design: Design | null };
/** How a preview can be shown; a path has no score. */
const shownNames = { course: ["short", "long", "noScore"], path: ["short", "long"] } as const;
const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export function DesignForm({ subject, design }: Props) {
  const { t } = useTranslation();
  const { kind, title } = subject;
  const calls = useDesignCalls(subject);
  const stored: DesignContent = design?.content ?? {
    paper: "a4",
    orientation: "landscape",
    side: "arches",
    title: t("certificates.design.defaults.title"),
    intro: t("certificates.design.defaults.intro"),
    verb: t(`certificates.design.defaults.verb.${kind}`),
    text: "",
    logo: "company",
    fields: kind === "course" ? ["score", "completed", "validUntil"] : [...fieldsOf.path],
    signers: [],
    months: null,
  };
  const [content, setContent] = useState(stored);
  const [enabled, setEnabled] = useState(design?.enabled ?? true);
  const [shown, setShown] = useState<Shown>("long");
  const [errors, setErrors] = useState<{ title?: string; months?: string }>({});
  const isChanged = !isEqual(content, stored);
  const isDirty = isChanged || enabled !== (design?.enabled ?? null);
  const layout = useLayout(content, subject, shown);
  const submit = () => {
    const { months } = content;
    const found = {
      ...(content.title.trim() === "" && { title: t("certificates.design.enterTitle") }),
      ...(months !== null &&
        !(months >= 1 && months <= MAX_MONTHS) && { months: t("certificates.design.enterMonths") }),
    };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    calls.save({ enabled, content, version: design?.version ?? null }).then(
      () => toast.done(t("certificates.design.saved", { course: title })),
      // The mutation shows the error.
      () => {},
    );
  };
  const sampleName = t(shown === "long" ? "certificates.design.sampleLong" : "certificates.design.sampleShort");

  return (
    <div className={classes.columns}>
      <UnsavedGuard when={design !== null && isDirty && !calls.isSaving && !calls.isSaved} />
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className={classes.state}>
          <Switch
            label={t("certificates.design.on")}
            description={t(`certificates.design.onHint.${kind}`)}
            checked={enabled}
            onChange={(event) => setEnabled(event.currentTarget.checked)}
          />
          {design && <Standing subject={subject} design={design} />}
        </div>
        <DesignFields
          kind={kind}
          content={content}
          errors={errors}
          onChange={(changed) => setContent((now) => ({ ...now, ...changed }))}
        />
        <Group mt="lg" gap="sm">
          <Button type="submit" loading={calls.isSaving} disabled={!isDirty}>
            {isChanged && design
              ? t("certificates.design.saveAsNew", { number: design.number + 1 })
              : t("certificates.design.save")}
          </Button>
          {design && isDirty && (
            <Button
              variant="subtle"
              onClick={() => {
                setContent(stored);
                setEnabled(design.enabled);
              }}
            >
              {t("certificates.design.discard")}
            </Button>
          )}
        </Group>
      </form>
      <div className={classes.side}>
        <Group justify="space-between" gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={t("certificates.design.shownAs")}
            value={shown}
            data={shownNames[kind].map((value) => ({
              value,
              label: t(`certificates.design.names.${value}`),
            }))}
            onChange={(value) => setShown(value as Shown)}
          />
          <Button
            variant="default"
            size="xs"
            leftSection={<IconFileTypePdf size={16} stroke={1.7} />}
            onClick={() => void calls.saveSample(content, sampleName).catch((error: unknown) => toast.failed(error))}
          >
            {t("certificates.design.sample")}
          </Button>
        </Group>
        <Preview layout={layout} label={t("certificates.design.preview")} />
        <Fit layout={layout} />
      </div>
    </div>
  );
}

/** What the hard cases come to: lines and size of the name, and the smallest text. */
function Fit({ layout: { boxes } }: { layout: ReturnType<typeof useLayout> }) {
  const { t } = useTranslation();
  const texts = boxes.filter((box) => box.kind === "text" && box.lines.length > 0).filter((box) => box.kind === "text");
  const name = texts.find(({ part }) => part === "name");
  const smallest = Math.min(...texts.map(({ size }) => size));
  return (
    <p className={classes.fit}>
      {name &&
        t("certificates.design.fit.name", {
          count: name.lines.length,
          lines: name.lines.length,
          points: formatNumber(name.size, 1),
        })}
      {". "}
      {t("certificates.design.fit.smallest", { points: formatNumber(smallest, 1) })}.
    </p>
  );
}

function Standing({ subject, design }: { subject: Subject; design: Design }) {
  const { t } = useTranslation();
  const { issueMissing } = useDesignCalls(subject);
  const { missing } = design;
  const ask = () =>
    confirm({
      title: t("certificates.design.missing", { count: missing }),
      text: t("certificates.design.issueMissingText"),
      confirmLabel: t("certificates.design.issueMissing", { count: missing }),
      cancelLabel: t("core.cancel"),
      onConfirm: async () => {
        await issueMissing();
        toast.done(t("certificates.design.missingOrdered", { count: missing }));
      },
    });
  return (
    <>
      <p>
        {t("certificates.design.inUse", { number: design.number })},{" "}
        <Anchor component={Link} inherit to={`/certificates?${subject.kind}Id=${subject.id}`}>
          {t("certificates.design.issued", { count: design.issued })}
        </Anchor>
        . {t("certificates.design.keeps")}
      </p>
      {missing > 0 && design.enabled && (
        <p>
          {t("certificates.design.missing", { count: missing })}{" "}
          <Button variant="default" size="xs" onClick={ask}>
            {t("certificates.design.issueMissing", { count: missing })}
          </Button>
        </p>
      )}
    </>
  );
}
