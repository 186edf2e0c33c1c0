import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconGridDots } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { AccountList, AccountRow } from "#web/auth/account/AccountRow.tsx";
import { PinDialog } from "#web/auth/pins/PinDialog.tsx";
import { Section } from "#web/core/layout/Section.tsx";

/** The login of a person without an email address. */
export function PinSection() {
  const { t } = useTranslation();
  const [changing, change] = useDisclosure();
  return (
    <Section title={t("account.pin.section")}>
      <AccountList>
        <AccountRow icon={IconGridDots} name={t("account.pin.title")} text={t("account.pin.text")}>
          <Button variant="default" onClick={change.open}>
            {t("account.pin.change")}
          </Button>
        </AccountRow>
      </AccountList>
      <PinDialog opened={changing} onClose={change.close} />
    </Section>
  );
}
