import { Anchor, Button, Menu, Switch, Text } from "@mantine/core";
import { IconKey, IconKeyOff, IconUserMinus, IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { EmailAddress } from "#web/core/display/EmailAddress.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { formatDate, formatNumber } from "#web/core/format/format.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { DeputyDialog } from "#web/managers/DeputyDialog.tsx";
import classes from "#web/managers/ManagersTab.module.css";
import { RightDialog } from "#web/managers/RightDialog.tsx";
import { type ManagerRow, managers } from "#shared/managers/managers.ts";
import { contactOf, nameOf } from "#web/core/display/person.ts";

const icon = { size: 18, stroke: 1.7 };

/** Who leads people in a company, who stands in for them, and whether they see their people. */
export function ManagersTab({ companyId }: { companyId: string }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<{ kind: "deputy" | "right"; manager: ManagerRow } | null>(null);
  const params = { id: companyId };
  const { data } = useQuery(queryFor(managers.list, { params, query: { size: 1 } }));
  const allow = useApiMutation(managers.allow);
  const removing = useApiMutation(managers.removeDeputy);
  const taking = useApiMutation(managers.take);
  const seePeople = data?.seePeople ?? true;

  const change = async (next: boolean) => {
    const done = await allow.mutateAsync({ params, body: { seePeople: next } }).catch(() => null);
    if (done) toast.done(t(next ? "managers.switchedOn" : "managers.switchedOff"));
  };
  const removeDeputy = async (id: string) => {
    await removing.mutateAsync({ params: { id } }).then(
      () => toast.done(t("managers.deputy.removed")),
      () => null,
    );
  };
  const takeRight = async (id: string) => {
    await taking.mutateAsync({ params: { id } }).then(
      () => toast.done(t("managers.right.taken")),
      () => null,
    );
  };
  const accessOf = ({ right }: ManagerRow) => {
    if (seePeople) return t("managers.right.all");
    if (!right) return t("managers.right.none");
    return right.endsOn ? t("managers.right.givenUntil", { day: formatDate(right.endsOn) }) : t("managers.right.given");
  };
  const deputiesOf = ({ deputies }: ManagerRow) =>
    deputies.map((one) => (
      <span key={one.id} className={classes.deputy}>
        {t("managers.deputy.period", {
          name: nameOf(one),
          from: formatDate(one.fromDay),
          until: formatDate(one.untilDay),
        })}
      </span>
    ));
  return (
    <>
      <Switch
        className={classes.allow ?? ""}
        label={t("managers.seePeople")}
        description={t(seePeople ? "managers.seePeopleOn" : "managers.seePeopleOff")}
        checked={seePeople}
        disabled={!data || allow.isPending}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      {data && data.withoutManager > 0 && data.total > 0 && (
        <Text size="sm" mb="md">
          <Anchor component={Link} to={`/companies/${companyId}?tab=learners&l.managerId=none`}>
            {t("managers.withoutManager", { count: data.withoutManager, n: formatNumber(data.withoutManager) })}
          </Anchor>
        </Text>
      )}
      <DataTable
        list={managers.list}
        params={params}
        prefix="m."
        search={t("managers.search")}
        noun={t("managers.noun")}
        rowKey={(row) => row.id}
        name={nameOf}
        to={(row) => `/learners/report/${row.id}`}
        mark={(row) => <PersonMark name={nameOf(row)} />}
        columns={[
          {
            key: "name",
            head: t("managers.name"),
            width: 300,
            render: (row) => (
              <>
                {nameOf(row)}
                {row.name && <EmailAddress email={contactOf(row)} />}
              </>
            ),
          },
          { key: "direct", head: t("managers.direct"), align: "right", render: (row) => <Num value={row.direct} /> },
          { key: "above", head: t("managers.above"), minor: true, render: (row) => row.manager },
          { key: "deputies", head: t("managers.deputies"), render: deputiesOf },
          { key: "access", head: t("managers.right.column"), render: accessOf },
        ]}
        phone={(row) => ({
          line: row.name && contactOf(row),
          side: <Num value={row.direct} />,
          sideLine: t("managers.directCount", { count: row.direct }),
          extra: (
            <Text span size="sm">
              {accessOf(row)}
              {row.deputies.length > 0 && deputiesOf(row)}
            </Text>
          ),
        })}
        menu={(row) => (
          <>
            <Menu.Item
              leftSection={<IconUserPlus {...icon} />}
              onClick={() => setDialog({ kind: "deputy", manager: row })}
            >
              {t("managers.deputy.add")}
            </Menu.Item>
            {row.deputies.map((one) => (
              <Menu.Item
                key={one.id}
                leftSection={<IconUserMinus {...icon} />}
                onClick={() => void removeDeputy(one.id)}
              >
                {t("managers.deputy.remove", { name: nameOf(one) })}
              </Menu.Item>
            ))}
            {(!seePeople || row.right) && (
              <Menu.Item leftSection={<IconKey {...icon} />} onClick={() => setDialog({ kind: "right", manager: row })}>
                {t(row.right ? "managers.right.change" : "managers.right.give")}
              </Menu.Item>
            )}
            {row.right && (
              <Menu.Item color="red" leftSection={<IconKeyOff {...icon} />} onClick={() => void takeRight(row.id)}>
                {t("managers.right.take")}
              </Menu.Item>
            )}
          </>
        )}
        empty={{
          title: t("managers.none"),
          text: t("managers.noneText"),
          action: (
            <Button variant="default" component={Link} to={`/companies/${companyId}?tab=learners`}>
              {t("managers.toLearners")}
            </Button>
          ),
        }}
      />
      {dialog?.kind === "deputy" && (
        <DeputyDialog manager={dialog.manager} companyId={companyId} onClose={() => setDialog(null)} />
      )}
      {dialog?.kind === "right" && <RightDialog manager={dialog.manager} onClose={() => setDialog(null)} />}
    </>
  );
}
