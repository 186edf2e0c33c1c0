import { Button, Checkbox, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useSearchParams } from "react-router";
import { AuthFrame } from "#web/auth/AuthFrame.tsx";
import classes from "#web/auth/AuthFrame.module.css";
import { loginErrorText } from "#web/auth/errorTexts.ts";
import { focusFirst } from "#web/auth/focusFirst.ts";
import { Notice } from "#web/auth/Notice.tsx";
import { Password } from "#web/auth/Password.tsx";
import { DIGITS } from "#web/auth/pins/digits.ts";
import { forgetDevice, readDevice, rememberDevice } from "#web/auth/pins/device.ts";
import { isCode, sendRequest } from "#web/core/http/http.ts";
import { useSession } from "#web/core/session/session.tsx";
import { isWeakPin, MIN_PIN_DIGITS, pin as pinShape, pins } from "#shared/auth/pins.ts";

type Card = { token: string; company: string; asksPin: boolean };

/** The card that was scanned last: the page may be mounted again before the login. */
let scanned: string | null = null;

/** The secret of a card in the fragment of the address, which is then removed from the address and the history. */
function takeCard() {
  const token = /^#card=([\w-]{43})$/.exec(location.hash)?.[1] ?? null;
  if (token) {
    history.replaceState(history.state, "", location.pathname + location.search);
    scanned = token;
  }
  return scanned;
}

/** /login/pin: login with company, personnel number and PIN, or with a printed card. */
export function PinLoginPage() {
  const { t } = useTranslation();
  const { acceptGrant } = useSession();
  const [search] = useSearchParams();
  const { hash } = useLocation();
  const [token, setToken] = useState(takeCard);
  const [card, setCard] = useState<Card | null>(null);
  const [device] = useState(readDevice);
  const [company, setCompany] = useState(search.get("company") ?? device?.company ?? "");
  const [number, setNumber] = useState("");
  const [typed, setTyped] = useState("");
  const [ownPin, setOwnPin] = useState<{ pin: string; repeated: string } | null>(null);
  const [shared, setShared] = useState(device?.shared ?? false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  // A card may be scanned while the page is open, which only changes the fragment.
  useEffect(() => setToken(takeCard()), [hash]);
  useEffect(() => {
    if (!token) return;
    sendRequest(pins.readCard, { body: { card: token } }).then(
      (read) => {
        setCard({ token, company: read.company, asksPin: read.asksPin });
        setCompany(read.companyCode);
        setNumber(read.number);
      },
      (error: unknown) => {
        scanned = null;
        setFailure(loginErrorText(error));
      },
    );
  }, [token]);

  const isReading = token !== null && card === null && failure === null;
  const asksPin = card?.asksPin ?? true;
  const check = (): Record<string, string> => ({
    ...(!company.trim() && { company: t("auth.pin.enterCompany") }),
    ...(!number.trim() && { number: t("auth.pin.enterNumber") }),
    ...(asksPin && !pinShape.safeParse(typed).success && { pin: t("auth.pin.enterPin", { count: MIN_PIN_DIGITS }) }),
  });
  const checkOwn = (own: { pin: string; repeated: string }): Record<string, string> => {
    if (!pinShape.safeParse(own.pin).success) return { newPin: t("auth.pin.enterPin", { count: MIN_PIN_DIGITS }) };
    if (own.pin === typed || isWeakPin(own.pin, number)) return { newPin: t("auth.errors.pinWeak") };
    return own.pin === own.repeated ? {} : { repeated: t("auth.pin.notSame") };
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const found = ownPin ? checkOwn(ownPin) : check();
    setErrors(found);
    setFailure(null);
    if (Object.keys(found).length > 0) return focusFirst(form, Object.keys(found));
    setBusy(true);
    try {
      const grant = await sendRequest(pins.signIn, {
        body: {
          company: company.trim(),
          number: number.trim(),
          shared,
          ...(asksPin && { pin: typed }),
          ...(card && { card: card.token }),
          ...(ownPin && { newPin: ownPin.pin }),
        },
      });
      rememberDevice({ company: company.trim().toLowerCase(), shared });
      scanned = null;
      acceptGrant(grant);
    } catch (error) {
      setBusy(false);
      if (isCode(error, "auth.pinMustChange")) return setOwnPin({ pin: "", repeated: "" });
      if (isCode(error, "auth.pinWrong")) setTyped("");
      setFailure(loginErrorText(error));
    }
  };

  if (ownPin)
    return (
      <AuthFrame title={t("auth.pin.ownTitle")} lead={t("auth.pin.ownLead")}>
        <Notice bad={failure} />
        <form className={classes.fields} onSubmit={(event) => void submit(event)} noValidate>
          <Password
            {...DIGITS}
            size="md"
            autoFocus
            name="newPin"
            label={t("auth.pin.own")}
            description={t("auth.pin.ownHint", { count: MIN_PIN_DIGITS })}
            value={ownPin.pin}
            error={errors.newPin}
            onChange={(change) => setOwnPin({ ...ownPin, pin: change.currentTarget.value })}
          />
          <Password
            {...DIGITS}
            size="md"
            name="repeated"
            label={t("auth.pin.repeat")}
            value={ownPin.repeated}
            error={errors.repeated}
            onChange={(change) => setOwnPin({ ...ownPin, repeated: change.currentTarget.value })}
          />
          <Button type="submit" size="md" fullWidth loading={busy}>
            {t("auth.pin.saveOwn")}
          </Button>
        </form>
      </AuthFrame>
    );
  return (
    <AuthFrame
      title={t("auth.pin.title")}
      lead={card ? t("auth.pin.leadCard", { company: card.company }) : t("auth.pin.lead")}
    >
      <Notice bad={failure} />
      <form className={classes.fields} onSubmit={(event) => void submit(event)} noValidate>
        {!card && (
          <TextInput
            size="md"
            name="company"
            label={t("auth.pin.company")}
            description={t("auth.pin.companyHint")}
            autoComplete="organization"
            autoCapitalize="none"
            spellCheck={false}
            value={company}
            error={errors.company}
            onChange={(change) => setCompany(change.currentTarget.value)}
          />
        )}
        <TextInput
          size="md"
          name="number"
          label={t("auth.pin.number")}
          autoComplete="off"
          spellCheck={false}
          readOnly={card !== null}
          value={number}
          error={errors.number}
          onChange={(change) => setNumber(change.currentTarget.value)}
        />
        {asksPin && (
          <Password
            {...DIGITS}
            key={card ? "card" : "typed"}
            autoFocus={card !== null}
            size="md"
            name="pin"
            label={t("auth.pin.pin")}
            value={typed}
            error={errors.pin}
            onChange={(change) => setTyped(change.currentTarget.value)}
          />
        )}
        <Checkbox
          label={t("auth.pin.shared")}
          description={t("auth.pin.sharedHint")}
          checked={shared}
          onChange={(change) => setShared(change.currentTarget.checked)}
        />
        <Button type="submit" size="md" fullWidth loading={busy || isReading}>
          {t("auth.login.submit")}
        </Button>
      </form>
      <p className={classes.below}>{t("auth.pin.forgotten")}</p>
      <p className={classes.below}>
        <Link to="/login" onClick={forgetDevice}>
          {t("auth.pin.byEmail")}
        </Link>
      </p>
    </AuthFrame>
  );
}
