import { Button, TextInput } from "@mantine/core";
import { sha256 } from "@noble/hashes/sha2.js";
import { type FormEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/certificates/verify/verify.module.css";
import { commitmentOf, comparable } from "#shared/certificates/proof.ts";

const KEY = /^#([A-Za-z0-9_-]{43})$/;
const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/**
 * Compares a name with the sealed one. The key is in the fragment of the address in the QR code, which browsers send to
 * nobody; without it nothing is shown.
 */
export function CompareName({ holder }: { holder: string }) {
  const { t } = useTranslation();
  const [key, setKey] = useState<string | null>(null);
  const [typed, setTyped] = useState("");
  const [answer, setAnswer] = useState<{ name: string; matches: boolean } | null>(null);
  // oxlint-disable-next-line react/set-state-in-effect -- the server does not know the fragment
  useEffect(() => setKey(KEY.exec(window.location.hash)?.[1] ?? null), []);
  if (!key) return null;
  const compare = (event: FormEvent) => {
    event.preventDefault();
    const name = typed.trim();
    if (!name) return;
    setAnswer({
      name,
      matches: commitmentOf(sha256, fromBase64Url(key), comparable("holder", name)) === holder,
    });
  };
  return (
    <section className={classes.compare}>
      <h2>{t("certificates.verify.compare")}</h2>
      <p className={classes.dim}>{t("certificates.verify.compareText")}</p>
      <form onSubmit={compare} className={classes.form}>
        <TextInput
          label={t("certificates.verify.name")}
          value={typed}
          maxLength={254}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit">{t("certificates.verify.compareAction")}</Button>
      </form>
      <p role="status" className={classes.answer} data-matches={answer?.matches}>
        {answer &&
          (answer.matches ? t("certificates.verify.match", { name: answer.name }) : t("certificates.verify.noMatch"))}
      </p>
    </section>
  );
}
