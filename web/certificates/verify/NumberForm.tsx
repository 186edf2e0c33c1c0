import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import classes from "#web/certificates/verify/verify.module.css";
import { readNumber } from "#shared/certificates/numbers.ts";

const MAX_TYPED = 40;

export function NumberForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const open = (event: FormEvent) => {
    event.preventDefault();
    const number = readNumber(typed) || typed.trim();
    if (number) void navigate(`/verify/${encodeURIComponent(number)}`);
  };
  return (
    <form onSubmit={open} className={classes.form}>
      <TextInput
        label={t("certificates.verify.number")}
        placeholder="NE-7KQ2-M4RX"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={MAX_TYPED}
      />
      <Button type="submit">{t("certificates.verify.check")}</Button>
    </form>
  );
}
