import { useTranslation } from "react-i18next";
import classes from "#web/auth/pins/pins.module.css";
import { Qr } from "#web/core/display/Qr.tsx";
import { cardLink, type IssuedPin } from "#shared/auth/pins.ts";

/** What is handed over on paper: the card to keep, and a slip with the PIN to cut off. */
export function PinSheet({ issued }: { issued: IssuedPin }) {
  const { t } = useTranslation();
  const { name, company, companyCode, number, pin, card } = issued;
  const facts = [
    [t("auth.pin.company"), companyCode],
    [t("auth.pin.number"), number],
  ];
  return (
    <div className={classes.sheet}>
      {card && (
        <div className={classes.card}>
          <div>
            <p className={classes.company}>{company}</p>
            <p className={classes.name}>{name}</p>
            <dl>
              {facts.map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <p className={classes.hint}>{t("auth.card.hint", { address: `${location.host}/login/pin` })}</p>
          </div>
          <Qr text={cardLink(location.origin, card)} size="100%" label={t("auth.card.qr", { name })} ink="#15201e" />
        </div>
      )}
      <div className={classes.slip}>
        <p className={classes.name}>{name}</p>
        <dl>
          {[...facts, [t("auth.pin.pin"), pin]].map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p className={classes.hint}>{t("auth.card.slipHint", { address: `${location.host}/login/pin` })}</p>
      </div>
    </div>
  );
}
