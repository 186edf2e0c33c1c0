import { useTranslation } from "react-i18next";
import { Password } from "#web/auth/Password.tsx";
import { DIGITS } from "#web/auth/pins/digits.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useTextForm } from "#web/core/dialog/useTextForm.ts";
import { useUser } from "#web/core/session/session.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { accounts } from "#shared/auth/account.ts";
import { isWeakPin, MIN_PIN_DIGITS, pin as pinShape } from "#shared/auth/pins.ts";

const empty = { current: "", pin: "", repeated: "" };
type Fields = typeof empty;

/** Changes the PIN; asks for the current one. */
export function PinDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const user = useUser();
  const { form, field, failure, accept, showError, close } = useTextForm(empty, onClose);
  const change = useApiMutation(accounts.changePin, { quiet: true });
  const check = ({ current, pin, repeated }: Fields): Record<string, string> => {
    const tooShort = t("auth.pin.enterPin", { count: MIN_PIN_DIGITS });
    const isWeak = pin === current || isWeakPin(pin, user?.personnelNumber ?? "");
    return {
      ...(!pinShape.safeParse(current).success && { current: tooShort }),
      ...(isWeak && { pin: t("auth.errors.pinWeak") }),
      ...(!pinShape.safeParse(pin).success && { pin: tooShort }),
      ...(pin !== repeated && { repeated: t("auth.pin.notSame") }),
    };
  };
  const submit = async () => {
    if (!accept(check(form))) return;
    const { current, pin } = form;
    try {
      await change.mutateAsync({ body: { current, pin } });
      toast.done(t("account.pin.done"), { text: t("account.pin.doneText") });
      close();
    } catch (error) {
      showError(error);
    }
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={t("account.pin.change")}
      submitLabel={t("account.pin.change")}
      cancelLabel={t("account.pin.keep")}
      busy={change.isPending}
      failure={failure}
      onSubmit={submit}
      size={440}
    >
      <Password data-autofocus label={t("account.pin.current")} {...DIGITS} {...field("current")} />
      <Password
        label={t("account.pin.new")}
        description={t("account.pin.newHint", { count: MIN_PIN_DIGITS })}
        {...DIGITS}
        {...field("pin")}
      />
      <Password label={t("account.pin.repeat")} {...DIGITS} {...field("repeated")} />
    </FormDialog>
  );
}
