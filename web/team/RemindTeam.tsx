import { Button, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBell } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { LazyRemindDialog } from "#web/courses/remind/lazyRemindDialog.ts";
import type { TeamReminder } from "#shared/team/team.ts";

type Props = ButtonProps & { title: string; target: TeamReminder; onDone?: () => void; children: ReactNode };

/** A button that reminds some of one's people of overdue courses, after a preview. */
export function RemindTeam({ title, target, onDone, children, ...button }: Props) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<IconBell size={18} stroke={1.7} />} {...button} onClick={open}>
        {children}
      </Button>
      <LazyRemindDialog
        opened={opened}
        onClose={close}
        {...(onDone && { onDone })}
        title={title}
        request={{ team: target }}
      />
    </>
  );
}
