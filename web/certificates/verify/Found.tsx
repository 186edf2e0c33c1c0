import { Anchor, Button, Group } from "@mantine/core";
import { IconDownload, IconSearch } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { CompareName } from "#web/certificates/verify/CompareName.tsx";
import { Verdict } from "#web/certificates/verify/Verdict.tsx";
import classes from "#web/certificates/verify/verify.module.css";
import { formatNumber, formatPercent } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { certificates, type PublicCertificate } from "#shared/certificates/certificates.ts";
import { printDay } from "#shared/certificates/certificateTexts.ts";

/** A certificate that was issued: the verdict, its facts as far as the holder allows, and its proof. */
export function Found({ certificate }: { certificate: PublicCertificate }) {
  return (
    <div className={classes.columns}>
      <div>
        <VerdictOf certificate={certificate} />
        <Facts certificate={certificate} />
        <CompareName holder={certificate.holder} />
      </div>
      <Proof certificate={certificate} />
    </div>
  );
}

function VerdictOf({ certificate }: { certificate: PublicCertificate }) {
  const { t } = useTranslation();
  const { state, number, issuer, issuedOn, validUntil, revokedOn, replacedBy } = certificate;
  const texts = {
    valid: [
      t("certificates.verify.unchanged"),
      t("certificates.verify.unchangedText", { number, issuer, day: printDay(issuedOn) }),
    ],
    expired: [
      t("certificates.verify.expired"),
      t("certificates.verify.expiredText", { number, day: validUntil ? printDay(validUntil) : "" }),
    ],
    revoked: [
      t("certificates.verify.revoked"),
      t("certificates.verify.revokedText", { number, issuer, day: revokedOn ? printDay(revokedOn) : "" }),
    ],
    replaced: [
      t("certificates.verify.replaced"),
      t("certificates.verify.replacedText", { number, issuer, by: replacedBy }),
    ],
  } as const;
  const [title, text] = texts[state];
  return (
    <Verdict
      tone={state}
      title={title}
      text={
        <>
          {text}{" "}
          {replacedBy && (
            <Anchor component={Link} inherit to={`/verify/${replacedBy}`}>
              {t("certificates.verify.openReplacement", { number: replacedBy })}
            </Anchor>
          )}
        </>
      }
    />
  );
}

const named = (label: string, courses: string[]): [string, ReactNode] => [
  label,
  <ul key={label} className={classes.list}>
    {courses.map((course, n) => (
      // oxlint-disable-next-line react/no-array-index-key -- a frozen list, in which two courses may have one title
      <li key={n}>{course}</li>
    ))}
  </ul>,
];

function Facts({ certificate }: { certificate: PublicCertificate }) {
  const { t } = useTranslation();
  const { kind, course, courseVersion, courses, elsewhere, issuer, rule } = certificate;
  const { completedOn, validUntil, scorePercent, minutes } = certificate;
  const facts: [string, ReactNode][] = [
    [t("certificates.holder"), <Holder key="holder" certificate={certificate} />],
    [
      t(kind === "path" ? "certificates.learningPath" : "certificates.course"),
      t("certificates.version", { course, number: courseVersion }),
    ],
    [t("certificates.company"), issuer],
    [t("certificates.completed"), printDay(completedOn)],
    [t("certificates.verify.rule"), rule],
    ...(courses.length > 0 ? [named(t("certificates.coursesOf"), courses)] : []),
    ...(elsewhere.length > 0 ? [named(t("certificates.elsewhere"), elsewhere)] : []),
    [t("certificates.validUntil"), validUntil ? printDay(validUntil) : t("certificates.noEnd")],
  ];
  if (scorePercent !== null) facts.push([t("certificates.verify.score"), formatPercent(scorePercent)]);
  if (minutes !== null)
    facts.push([t("certificates.verify.minutes"), t("certificates.verify.measured", { n: formatNumber(minutes) })]);
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Holder({ certificate: { name, namelessSince, keepUntil, keepGround } }: { certificate: PublicCertificate }) {
  const { t } = useTranslation();
  if (name !== null) return <bdi>{name}</bdi>;
  if (!namelessSince) return <span className={classes.dim}>{t("certificates.verify.holderHidden")}</span>;
  return (
    <>
      {t("certificates.verify.holderRemoved", { day: printDay(namelessSince) })}
      {keepUntil && (
        <span className={classes.under}>
          {t("certificates.verify.kept", { day: printDay(keepUntil), ground: keepGround })}
        </span>
      )}
    </>
  );
}

function Proof({ certificate }: { certificate: PublicCertificate }) {
  const { number, issuer, sealed, headDay, timestamp } = certificate;
  const { t } = useTranslation();
  const address = certificates.publicProof.path.replace(":number", encodeURIComponent(number));
  return (
    <Section title={t("certificates.verify.proof")}>
      <p className={classes.text}>{t("certificates.verify.proofText", { issuer })}</p>
      <p className={classes.text}>
        <strong>
          {sealed && headDay
            ? t("certificates.verify.sealedOn", { day: printDay(headDay) })
            : t("certificates.verify.sealing")}
        </strong>
      </p>
      {timestamp && (
        <p className={classes.text}>
          {t("certificates.verify.timestamp", { day: printDay(timestamp.on), authority: timestamp.by })}
        </p>
      )}
      <Group gap="xs">
        {sealed && (
          <Button
            variant="default"
            component="a"
            href={address}
            download={`${number}.proof.json`}
            leftSection={<IconDownload size={18} stroke={1.7} />}
          >
            {t("certificates.verify.proofFile")}
          </Button>
        )}
        <Button variant="default" component={Link} to="/verify" leftSection={<IconSearch size={18} stroke={1.7} />}>
          {t("certificates.verify.another")}
        </Button>
      </Group>
      <p className={classes.dim}>{t("certificates.verify.offline")}</p>
    </Section>
  );
}
