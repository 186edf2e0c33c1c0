import { Menu } from "@mantine/core";
import {
  IconArmchair,
  IconCheck,
  IconHistory,
  IconMail,
  IconSchool,
  IconUserCheck,
  IconUserMinus,
  IconUserX,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RegistrationActions } from "#web/events/organiser/useRegistrationActions.tsx";
import { ACTIVE_STATES } from "#shared/events/eventPhases.ts";
import type { Registration } from "#shared/events/registrationRows.ts";

const icon = { size: 18, stroke: 1.6 };
const noop = () => {};

/** Actions on a registration. */
export function RegistrationMenu({
  registration: row,
  actions,
  onOpen,
}: {
  registration: Registration;
  actions: RegistrationActions;
  onOpen: () => void;
}) {
  const { t } = useTranslation();
  const { state, attendedAt, email } = row;
  return (
    <>
      <Menu.Item leftSection={<IconHistory {...icon} />} onClick={onOpen}>
        {t("events.registrations.openDetails")}
      </Menu.Item>
      {state === "pending_approval" && (
        <Menu.Item leftSection={<IconCheck {...icon} />} onClick={() => actions.approve([row], noop)}>
          {t("events.registrations.approve")}
        </Menu.Item>
      )}
      {state === "pending_approval" && (
        <Menu.Item leftSection={<IconUserX {...icon} />} onClick={() => actions.reject([row], noop)}>
          {t("events.registrations.reject")}
        </Menu.Item>
      )}
      {state === "waitlisted" && (
        <Menu.Item leftSection={<IconArmchair {...icon} />} onClick={() => actions.offerSeats([row], noop)}>
          {t("events.registrations.promote")}
        </Menu.Item>
      )}
      {state === "confirmed" && !attendedAt && (
        <Menu.Item leftSection={<IconUserCheck {...icon} />} onClick={() => actions.checkIn(row)}>
          {t("events.registrations.checkIn")}
        </Menu.Item>
      )}
      {attendedAt && (
        <Menu.Item leftSection={<IconUserMinus {...icon} />} onClick={() => actions.undoCheckIn(row)}>
          {t("events.registrations.undoCheckIn")}
        </Menu.Item>
      )}
      {state === "confirmed" && (
        <Menu.Item leftSection={<IconSchool {...icon} />} onClick={() => actions.invite([row], noop)}>
          {t("events.registrations.invite")}
        </Menu.Item>
      )}
      {email && (
        <Menu.Item component="a" href={`mailto:${email}`} leftSection={<IconMail {...icon} />}>
          {t("events.registrations.emailPerson")}
        </Menu.Item>
      )}
      {ACTIVE_STATES.includes(state) && <Menu.Divider />}
      {ACTIVE_STATES.includes(state) && (
        <Menu.Item color="red" leftSection={<IconUserX {...icon} />} onClick={() => actions.cancel([row], noop)}>
          {t("events.registrations.cancel")}
        </Menu.Item>
      )}
    </>
  );
}
