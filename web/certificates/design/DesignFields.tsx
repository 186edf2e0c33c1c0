import { Checkbox, Group, NumberInput, SegmentedControl, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/certificates/design/design.module.css";
import { PictureField } from "#web/certificates/design/PictureField.tsx";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import {
  type CertificateKind,
  type DesignContent,
  fieldsOf,
  MAX_MONTHS,
  orientation,
  paper,
  sidePicture,
} from "#shared/certificates/designs.ts";

type Props = {
  kind: CertificateKind;
  content: DesignContent;
  errors: { title?: string; months?: string };
  onChange: (changed: Partial<DesignContent>) => void;
};

/** Everything that a design says and shows. */
export function DesignFields({ kind, content, errors, onChange }: Props) {
  const { t } = useTranslation();
  const textField = (name: "title" | "intro" | "verb", label: string, error?: string) => (
    <TextInput
      label={label}
      value={content[name]}
      maxLength={120}
      error={error}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <Stack gap="lg">
      <fieldset className={classes.group}>
        <legend>{t("certificates.design.texts")}</legend>
        <Stack gap="sm" mt={8}>
          {textField("title", t("certificates.design.certificateTitle"), errors.title)}
          {textField("intro", t("certificates.design.intro"))}
          {textField("verb", t("certificates.design.verb"))}
          <Textarea
            label={<OptionalLabel>{t("certificates.design.text")}</OptionalLabel>}
            value={content.text}
            maxLength={400}
            autosize
            minRows={2}
            onChange={(event) => onChange({ text: event.currentTarget.value })}
          />
        </Stack>
      </fieldset>
      <Checkbox.Group
        label={t("certificates.design.fields")}
        description={t(`certificates.design.fieldsHint.${kind}`)}
        value={content.fields}
        onChange={(chosen) => onChange({ fields: fieldsOf[kind].filter((field) => chosen.includes(field)) })}
      >
        <Group gap="md" mt={8}>
          {fieldsOf[kind].map((field) => (
            <Checkbox key={field} value={field} label={t(`certificates.design.fieldNames.${field}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <NumberInput
        label={<OptionalLabel>{t("certificates.design.months")}</OptionalLabel>}
        description={t("certificates.design.monthsHint")}
        value={content.months ?? ""}
        min={1}
        max={MAX_MONTHS}
        allowDecimal={false}
        error={errors.months}
        styles={{ wrapper: { maxWidth: 160 } }}
        onChange={(value) => onChange({ months: value === "" ? null : Number(value) })}
      />
      <PageFields content={content} onChange={onChange} />
      <Logo content={content} onChange={onChange} />
      {[0, 1].map((n) => (
        <Signer key={n} n={n} content={content} onChange={onChange} />
      ))}
    </Stack>
  );
}

type PartProps = Omit<Props, "errors" | "kind">;

function PageFields({ content, onChange }: PartProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.group}>
      <legend>{t("certificates.design.page")}</legend>
      <Stack gap="sm" mt={8}>
        <Group gap="sm">
          <SegmentedControl
            aria-label={t("certificates.design.paper")}
            value={content.paper}
            data={paper.options.map((value) => ({ value, label: t(`certificates.design.papers.${value}`) }))}
            onChange={(value) => onChange({ paper: paper.parse(value) })}
          />
          <SegmentedControl
            aria-label={t("certificates.design.orientation")}
            value={content.orientation}
            data={orientation.options.map((value) => ({
              value,
              label: t(`certificates.design.orientations.${value}`),
            }))}
            onChange={(value) => onChange({ orientation: orientation.parse(value) })}
          />
        </Group>
        <Select
          label={t("certificates.design.side")}
          description={t("certificates.design.sideHint")}
          value={content.side}
          data={sidePicture.options.map((value) => ({ value, label: t(`certificates.design.sides.${value}`) }))}
          allowDeselect={false}
          styles={{ root: { maxWidth: 260 } }}
          onChange={(value) => value && onChange({ side: sidePicture.parse(value) })}
        />
      </Stack>
    </fieldset>
  );
}

function Logo({ content: { logo }, onChange }: PartProps) {
  const { t } = useTranslation();
  const stored = logo === null ? "none" : "own";
  const kind = logo === "company" ? "company" : stored;
  return (
    <Stack gap="xs">
      <Select
        label={t("certificates.design.logo")}
        value={kind}
        data={[
          { value: "company", label: t("certificates.design.logos.company") },
          { value: "none", label: t("certificates.design.logos.none") },
          ...(kind === "own" ? [{ value: "own", label: t("certificates.design.logos.own") }] : []),
        ]}
        allowDeselect={false}
        styles={{ root: { maxWidth: 260 } }}
        onChange={(value) => value !== "own" && onChange({ logo: value === "company" ? "company" : null })}
      />
      <PictureField
        label={t("certificates.design.logos.own")}
        value={kind === "own" ? logo : null}
        onChange={(hash) => onChange({ logo: hash })}
      />
    </Stack>
  );
}

const NOBODY = { name: "", role: "", picture: null };

function Signer({ n, content: { signers }, onChange }: PartProps & { n: number }) {
  const { t } = useTranslation();
  const signer = signers[n] ?? NOBODY;
  const set = (changed: Partial<typeof signer>) => {
    const all = [signers[0] ?? NOBODY, signers[1] ?? NOBODY].with(n, { ...signer, ...changed });
    const last = all.findLastIndex(({ name, role, picture }) => name || role || picture);
    onChange({ signers: all.slice(0, last + 1) });
  };
  return (
    <fieldset className={classes.group}>
      <legend>{t(n === 0 ? "certificates.design.signature" : "certificates.design.secondSignature")}</legend>
      <Stack gap="sm" mt={8}>
        <Group gap="sm" grow>
          <TextInput
            label={t("certificates.design.signerName")}
            value={signer.name}
            maxLength={80}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label={t("certificates.design.signerRole")}
            value={signer.role}
            maxLength={80}
            onChange={(event) => set({ role: event.currentTarget.value })}
          />
        </Group>
        <PictureField
          label={t("certificates.design.picture")}
          value={signer.picture}
          onChange={(picture) => set({ picture })}
        />
      </Stack>
    </fieldset>
  );
}
